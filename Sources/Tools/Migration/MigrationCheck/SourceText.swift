/// What a source file says, without its comments. Everything keeps its line.
struct SourceText {
    /// A word of the code, outside of comments, texts and imports.
    struct Word {
        var text: String
        var line: Int
        /// Whether it is a method or a property of something: before it stands a dot, with a value before the dot, or behind
        /// it, in Objective-C, a colon.
        var isMember: Bool
    }

    /// A library that the file imports, as in `import FirebaseCore` or `import com.google.mlkit.vision.label.ImageLabeling`.
    struct Import {
        var name: String
        var line: Int
        /// The name that the file gives it, as in `import a.b.C as D`.
        var alias: String?
        /// Whether files that see this file see the library too.
        var isShared = false
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
    /// Types that the file declares beside others, in Swift, and names that it defines in Objective-C.
    private(set) var ownNames: Set<String> = []
    /// Types in types, which only this file is likely to use by their bare names.
    private(set) var innerNames: Set<String> = []
    /// Libraries by their names in a version catalog.
    private(set) var catalog: [String: String] = [:]
    /// The places of names of a catalog, as `libs.firebase.ml`.
    private(set) var accessors: [Literal] = []

    private let language: SourceLanguage
    /// The last byte of the code that is no blank.
    private var last: UInt8 = 0
    /// Whether something stands before that byte, if it is a dot.
    private var hasReceiver = false
    /// Whether a blank stands after the last byte, in the same line.
    private var isApart = false
    /// Open braces.
    private var depth = 0
    private var declares = false

    init(_ bytes: [UInt8], _ language: SourceLanguage) {
        self.language = language
        var reader = SourceReader(Self.plain(bytes), language)
        while let line = reader.next() { add(line) }
    }

    /// Whether it can be a source file, and is not only named like one.
    static func isText(_ bytes: [UInt8]) -> Bool {
        let mark = bytes.prefix(2)
        return mark.elementsEqual([0xFF, 0xFE]) || mark.elementsEqual([0xFE, 0xFF]) || !bytes.prefix(8192).contains(0)
    }

    /// With plain newlines and in UTF-8, without the mark at the beginning.
    private static func plain(_ bytes: [UInt8]) -> [UInt8] {
        var bytes = bytes
        let mark = bytes.prefix(2)
        if mark.elementsEqual([0xFF, 0xFE]) || mark.elementsEqual([0xFE, 0xFF]) {
            let isLittle = mark.first == 0xFF
            let units = stride(from: 2, to: bytes.count - 1, by: 2).map { index in
                let (first, second) = (UInt16(bytes[index]), UInt16(bytes[index + 1]))
                return isLittle ? second << 8 | first : first << 8 | second
            }
            bytes = Array(String(decoding: units, as: UTF16.self).utf8)
        } else if bytes.starts(with: [0xEF, 0xBB, 0xBF]) {
            bytes.removeFirst(3)
        }
        guard bytes.contains(UInt8(ascii: "\r")) else { return bytes }
        var plain: [UInt8] = []
        plain.reserveCapacity(bytes.count)
        for (index, byte) in bytes.enumerated() {
            guard byte == UInt8(ascii: "\r") else {
                plain.append(byte)
                continue
            }
            let isPair = index + 1 < bytes.count && bytes[index + 1] == UInt8(ascii: "\n")
            if !isPair { plain.append(UInt8(ascii: "\n")) }
        }
        return plain
    }

    private mutating func add(_ line: SourceReader.Line) {
        switch language {
        case .xcode: addProduct(line)
        case .catalog: addCatalog(line)
        case _ where language.isManifest:
            literals += ManifestLine.libraries(line.literals).map { Literal(text: $0, line: line.number) }
            if language == .gradle {
                accessors += ManifestLine.accessors(line.code).map { Literal(text: $0, line: line.number) }
            }
        default: addCode(line)
        }
    }

    /// `productName = FirebaseCore;`
    private mutating func addProduct(_ line: SourceReader.Line) {
        let words = ManifestLine.words(line.code)
        if words.first == "productName", words.count > 1 { literals.append(Literal(text: words[1], line: line.number)) }
    }

    /// `name = { module = "group:library" }`
    private mutating func addCatalog(_ line: SourceReader.Line) {
        let libraries = ManifestLine.libraries(line.literals)
        literals += libraries.map { Literal(text: $0, line: line.number) }
        guard let name = ManifestLine.words(line.code).first, let library = libraries.first else { return }
        catalog[ManifestLine.accessor(name)] = library
    }

    private mutating func addCode(_ line: SourceReader.Line) {
        guard let first = line.code.first(where: { $0 != 0x20 && $0 != 0x09 }) else { return }
        // Only these bytes can begin an import or a package.
        if Array("@#ipf".utf8).contains(first) {
            let statements = Statement.all(line, language)
            if package == nil, let name = statements.package { package = name }
            imports += statements.imports
            if !statements.imports.isEmpty || statements.package != nil { return }
        }
        addWords(of: line)
    }

    private mutating func addWords(of line: SourceReader.Line) {
        let code = line.code
        // A chain of calls goes on in the next line.
        var index = code.firstIndex { $0 != 0x20 && $0 != 0x09 } ?? code.count
        isApart = false
        while index < code.count {
            guard ManifestLine.isWordByte(code[index]) else {
                note(code[index])
                index += 1
                continue
            }
            var end = index
            while end < code.count, ManifestLine.isWordByte(code[end]) { end += 1 }
            let next = code[end...].first { $0 != 0x20 && $0 != 0x09 }
            let text = String(decoding: code[index..<end], as: UTF8.self)
            let isMessage = language == .objectiveC && next == UInt8(ascii: ":")
            words.append(
                Word(text: text, line: line.number, isMember: last == UInt8(ascii: ".") && hasReceiver || isMessage))
            noteOwn(text, before: code[end...])
            last = code[end - 1]
            isApart = false
            index = end
        }
    }

    private mutating func note(_ byte: UInt8) {
        if byte == UInt8(ascii: "{") { depth += 1 }
        if byte == UInt8(ascii: "}") { depth -= 1 }
        if byte == 0x20 || byte == 0x09 {
            isApart = true
            return
        }
        if byte == UInt8(ascii: ".") {
            // As in `value.member` and `call()?.member`, and not in `return .member`.
            let isWord = ManifestLine.isWordByte(last) && !isApart
            hasReceiver = isWord || Array(")]}?!\">".utf8).contains(last)
        }
        last = byte
        isApart = false
    }

    private static let declarations: Set<String> = ["class", "struct", "enum", "protocol", "actor", "typealias"]

    private mutating func noteOwn(_ word: String, before rest: ArraySlice<UInt8>) {
        if language == .swift {
            if declares, word.first?.isUppercase == true {
                if depth == 0 { ownNames.insert(word) } else { innerNames.insert(word) }
            }
            declares = Self.declarations.contains(word)
        } else if language == .objectiveC {
            let rest = rest.drop { $0 == 0x20 || $0 == 0x09 }
            // In front of a bracket stands the type of another library that the file extends.
            if declares, rest.first != UInt8(ascii: "(") { ownNames.insert(word) }
            declares = word == "interface" && last == UInt8(ascii: "@")
            // A constant of a library gets no value.
            if rest.first == UInt8(ascii: "="), rest.dropFirst().first != UInt8(ascii: "="),
                last != UInt8(ascii: "*"), last != UInt8(ascii: ".")
            {
                ownNames.insert(word)
            }
        }
    }
}
