/// Libraries in a line of a manifest.
enum ManifestLine {
    /// The texts of a line. A group and a name become one library, as in `group: 'a.b', name: 'c'`.
    static func libraries(_ literals: [String]) -> [String] {
        guard literals.count > 1 else { return literals }
        var result: [String] = []
        for literal in literals {
            if let group = result.last, isGroup(group), !literal.contains(":"), !literal.contains("/") {
                result[result.count - 1] = "\(group):\(literal)"
            } else {
                result.append(literal)
            }
        }
        return result
    }

    /// `com.google.firebase`, and not `1.0.3` or `App.swift`.
    private static func isGroup(_ text: String) -> Bool {
        let begins = ["com.", "org."].contains(where: text.hasPrefix)
        return begins && !text.contains(":") && !text.contains("/")
    }

    /// `libs.firebase.ml` in `implementation(libs.firebase.ml)`.
    static func accessors(_ code: [UInt8]) -> [String] {
        let names = String(decoding: code, as: UTF8.self).split { character in
            !(character.isLetter || character.isNumber || character == "." || character == "_")
        }
        return names.filter { $0.hasPrefix("libs.") }.map(String.init)
    }

    /// The name of a library in a catalog as a build file writes it.
    static func accessor(_ name: String) -> String {
        "libs." + String(name.map { $0 == "-" || $0 == "_" ? "." : $0 })
    }

    /// Words and names with hyphens.
    static func words(_ code: [UInt8]) -> [String] {
        code.split { !(isWordByte($0) || $0 == UInt8(ascii: "-")) }.map { String(decoding: $0, as: UTF8.self) }
    }

    static func isWordByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), 0x80...:
            true
        default: false
        }
    }
}
