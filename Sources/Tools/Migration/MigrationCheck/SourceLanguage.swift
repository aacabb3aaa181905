/// The language of a source file, by its name.
package enum SourceLanguage: String, Codable, Sendable, CaseIterable {
    case swift
    case objectiveC = "objective-c"
    case kotlin
    case java
    /// `build.gradle`, `build.gradle.kts`, `settings.gradle`.
    case gradle
    /// A version catalog, as `libs.versions.toml`.
    case catalog
    case podfile
    /// `Package.swift`.
    case package
    /// `project.pbxproj`.
    case xcode
    /// `AndroidManifest.xml`.
    case androidManifest = "android-manifest"

    /// Nil for a file that the check does not read.
    init?(fileName: String) {
        switch fileName {
        case "Podfile": self = .podfile
        case "Package.swift": self = .package
        case "project.pbxproj": self = .xcode
        case "AndroidManifest.xml": self = .androidManifest
        case _ where fileName.hasSuffix(".versions.toml"): self = .catalog
        case _ where fileName.hasSuffix(".gradle") || fileName.hasSuffix(".gradle.kts"): self = .gradle
        case _ where fileName.hasSuffix(".podspec"): self = .podfile
        case _ where fileName.hasSuffix(".swift"): self = .swift
        case _ where [".m", ".mm", ".h", ".pch"].contains(where: fileName.hasSuffix): self = .objectiveC
        case _ where fileName.hasSuffix(".kt") || fileName.hasSuffix(".kts"): self = .kotlin
        case _ where fileName.hasSuffix(".java"): self = .java
        default: return nil
        }
    }

    /// Whether the file names libraries, and does not call them.
    var isManifest: Bool {
        [.gradle, .catalog, .podfile, .package, .xcode, .androidManifest].contains(self)
    }

    /// Whether an import names a class with its whole package.
    var importsClasses: Bool { self == .kotlin || self == .java }

    /// Whether a folder with a file of this name is an app, or a part of it with types of its own.
    static func isProject(_ fileName: String) -> Bool {
        fileName == "Package.swift" || fileName == "Podfile" || fileName.hasSuffix(".xcodeproj")
    }
}

/// How the languages write comments and texts.
extension SourceLanguage {
    /// What begins a comment that ends with the line.
    var lineComment: [UInt8]? {
        switch self {
        case .podfile, .catalog: Array("#".utf8)
        case .androidManifest: nil
        default: Array("//".utf8)
        }
    }

    var blockComment: (start: [UInt8], end: [UInt8])? {
        switch self {
        case .podfile, .catalog: nil
        case .androidManifest: (Array("<!--".utf8), Array("-->".utf8))
        default: (Array("/*".utf8), Array("*/".utf8))
        }
    }

    /// Whether comments stand in each other.
    var nestsComments: Bool { self == .swift || self == .kotlin || self == .package }

    /// A text or, in most languages, a character in single quotes.
    var hasSingleQuotes: Bool { self != .swift && self != .package && self != .xcode }

    var hasLongTexts: Bool { self != .objectiveC && self != .xcode && self != .androidManifest && self != .podfile }

    /// Whether `#"` begins a text that ends with `"#`.
    var hasRawTexts: Bool { self == .swift || self == .package }

    /// Kotlin's long texts take a backslash as it is.
    var escapesInLongTexts: Bool { self != .kotlin }

    /// What begins code inside of a text, after a backslash or a dollar sign, and what ends it.
    var interpolation: (mark: UInt8, open: UInt8, close: UInt8)? {
        switch self {
        case .swift: (UInt8(ascii: "\\"), UInt8(ascii: "("), UInt8(ascii: ")"))
        case .kotlin: (UInt8(ascii: "$"), UInt8(ascii: "{"), UInt8(ascii: "}"))
        default: nil
        }
    }
}
