/// The language of a source file, by its name.
package enum SourceLanguage: String, Codable, Sendable, CaseIterable {
    case swift
    case objectiveC = "objective-c"
    case kotlin
    case java
    /// `build.gradle`, `build.gradle.kts`, `settings.gradle`, `libs.versions.toml`.
    case gradle
    case podfile
    /// `Package.swift`.
    case package

    /// Nil for a file that the check does not read.
    init?(fileName: String) {
        switch fileName {
        case "Podfile": self = .podfile
        case "Package.swift": self = .package
        case "libs.versions.toml": self = .gradle
        case _ where fileName.hasSuffix(".gradle") || fileName.hasSuffix(".gradle.kts"): self = .gradle
        case _ where fileName.hasSuffix(".podspec"): self = .podfile
        case _ where fileName.hasSuffix(".swift"): self = .swift
        case _ where [".m", ".mm", ".h"].contains(where: fileName.hasSuffix): self = .objectiveC
        case _ where fileName.hasSuffix(".kt") || fileName.hasSuffix(".kts"): self = .kotlin
        case _ where fileName.hasSuffix(".java"): self = .java
        default: return nil
        }
    }

    /// Whether the file names libraries, and does not call them.
    var isManifest: Bool { [.gradle, .podfile, .package].contains(self) }

    fileprivate var commentMarks: [String] {
        switch self {
        case .podfile: ["#"]
        // A TOML file has `#`, a Gradle file `//`; neither has the other's mark outside of its texts.
        case .gradle: ["//", "#"]
        default: ["//"]
        }
    }
}

/// A source file without its comments. Everything keeps its line.
struct SourceText {
    /// A word of the code, outside of comments, texts and imports.
    struct Word {
        var text: String
        var line: Int
        /// Whether a dot stands before it.
        var isMember: Bool
    }

    /// A library that the file imports, as in `import FirebaseCore` or `import com.google.mlkit.vision.label.ImageLabeling`.
    struct Import {
        var name: String
        var line: Int
    }

    /// A text in quotes, of a manifest.
    struct Literal {
        var text: String
        var line: Int
    }

    private(set) var words: [Word] = []
    private(set) var imports: [Import] = []
    private(set) var literals: [Literal] = []
    /// The package that the file belongs to, in Kotlin and Java.
    private(set) var package: String?

    init(_ bytes: [UInt8], _ language: SourceLanguage) {
        let lines = SourceReader(bytes, language).lines
        for (index, line) in lines.enumerated() {
            literals += line.literals.map { Literal(text: $0, line: index + 1) }
            if package == nil, let name = Self.packageName(line.code, language) {
                package = name
            } else if let name = Self.importedName(line.code, language) {
                imports.append(Import(name: name, line: index + 1))
            } else {
                addWords(of: line.code, line: index + 1)
            }
        }
    }

    private mutating func addWords(of code: [UInt8], line: Int) {
        var start = 0
        while start < code.count {
            guard Self.isWordByte(code[start]) else {
                start += 1
                continue
            }
            var end = start
            while end < code.count, Self.isWordByte(code[end]) { end += 1 }
            let before = code[..<start].last { $0 != 0x20 && $0 != 0x09 }
            words.append(
                Word(
                    text: String(decoding: code[start..<end], as: UTF8.self), line: line,
                    isMember: before == UInt8(ascii: ".")))
            start = end
        }
    }

    /// `@testable import X`, `import class X.Y`, `@import X;`, `#import <X/Y.h>`, `import static a.b.C;`
    private static func importedName(_ code: [UInt8], _ language: SourceLanguage) -> String? {
        guard !language.isManifest else { return nil }
        let text = String(decoding: code, as: UTF8.self)
        let line = text.drop { $0 == " " || $0 == "\t" }
        if language == .objectiveC {
            for mark in ["#import <", "#include <", "#import \"", "#include \"", "@import "] where line.hasPrefix(mark)
            {
                return String(line.dropFirst(mark.count).prefix { !">\";".contains($0) })
            }
            return nil
        }
        var parts = line.split(whereSeparator: { $0 == " " || $0 == "\t" || $0 == ";" })
        while let first = parts.first, first.hasPrefix("@") || first == "public" || first == "internal" {
            parts.removeFirst()
        }
        guard parts.first == "import", parts.count > 1 else { return nil }
        let kinds: Set<Substring> = [
            "static", "class", "struct", "enum", "func", "protocol", "typealias", "var", "let",
        ]
        return kinds.contains(parts[1]) ? parts.dropFirst(2).first.map(String.init) : String(parts[1])
    }

    /// `package a.b.c;`
    private static func packageName(_ code: [UInt8], _ language: SourceLanguage) -> String? {
        guard language == .kotlin || language == .java else { return nil }
        let parts = String(decoding: code, as: UTF8.self).split { $0 == " " || $0 == "\t" || $0 == ";" }
        return parts.first == "package" && parts.count > 1 ? String(parts[1]) : nil
    }

    private static func isWordByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), 0x80...:
            true
        default: false
        }
    }
}

/// Takes comments and texts out of a source file. It does not parse the language: what stands in an interpolation counts
/// as text.
private struct SourceReader {
    struct Line {
        /// Without comments, and with empty texts.
        var code: [UInt8] = []
        var literals: [String] = []
    }

    private(set) var lines: [Line] = [Line()]

    init(_ bytes: [UInt8], _ language: SourceLanguage) {
        let marks = language.commentMarks.map { Array($0.utf8) }
        let hasBlocks = language != .podfile
        var index = 0
        var depth = 0
        func starts(_ mark: [UInt8]) -> Bool { bytes[index...].starts(with: mark) }
        while index < bytes.count {
            let byte = bytes[index]
            if byte == UInt8(ascii: "\n") {
                lines.append(Line())
                index += 1
            } else if depth > 0 {
                if starts(Array("*/".utf8)) {
                    depth -= 1
                    index += 2
                } else if language == .swift || language == .kotlin, starts(Array("/*".utf8)) {
                    // Comments of these languages stand in each other.
                    depth += 1
                    index += 2
                } else {
                    index += 1
                }
            } else if hasBlocks, starts(Array("/*".utf8)) {
                depth = 1
                index += 2
            } else if marks.contains(where: starts) {
                while index < bytes.count, bytes[index] != UInt8(ascii: "\n") { index += 1 }
            } else if starts(Array("\"\"\"".utf8)) {
                index = skipLongText(bytes, from: index)
            } else if byte == UInt8(ascii: "\"") || (byte == UInt8(ascii: "'") && language.hasTextsInSingleQuotes) {
                index = readText(bytes, from: index)
            } else {
                lines[lines.count - 1].code.append(byte)
                index += 1
            }
        }
    }

    private mutating func skipLongText(_ bytes: [UInt8], from start: Int) -> Int {
        var index = start + 3
        while index < bytes.count, !bytes[index...].starts(with: Array("\"\"\"".utf8)) {
            if bytes[index] == UInt8(ascii: "\n") { lines.append(Line()) }
            index += 1
        }
        return min(index + 3, bytes.count)
    }

    /// A text ends at its quote or at the end of its line.
    private mutating func readText(_ bytes: [UInt8], from start: Int) -> Int {
        let quote = bytes[start]
        var index = start + 1
        var text: [UInt8] = []
        while index < bytes.count, bytes[index] != quote, bytes[index] != UInt8(ascii: "\n") {
            if bytes[index] == UInt8(ascii: "\\"), index + 1 < bytes.count, bytes[index + 1] != UInt8(ascii: "\n") {
                index += 1
            }
            text.append(bytes[index])
            index += 1
        }
        let isClosed = index < bytes.count && bytes[index] == quote
        lines[lines.count - 1].literals.append(String(decoding: text, as: UTF8.self))
        // An import in Objective-C keeps its name.
        lines[lines.count - 1].code += [UInt8(ascii: "\"")] + (isImport ? text : []) + [UInt8(ascii: "\"")]
        return isClosed ? index + 1 : index
    }

    private var isImport: Bool {
        let code = lines[lines.count - 1].code
        return code.starts(with: Array("#import".utf8)) || code.starts(with: Array("#include".utf8))
    }
}

extension SourceLanguage {
    fileprivate var hasTextsInSingleQuotes: Bool { self == .gradle || self == .podfile }
}
