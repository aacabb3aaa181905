import HearthCrypto

/// The name of an installation in logs: `device:` and 12 hexadecimal digits of a hash.
///
/// An installation has the same name in every line. Its id must not be in a log, because a client that knows the id and
/// the app's API key can register as that installation.
package struct InstallationLogName: Sendable, CustomStringConvertible {
    private static let collection = Array("installations/".utf8)
    /// The characters that end an id in a path, and in a text that contains the path.
    private static let ends = Array("/?:# ".utf8)

    private let id: String

    /// The installation with that id.
    package init(id: String) { self.id = id }

    /// Whether the text has the form of such a name.
    package static func isName(_ text: String) -> Bool {
        let digits = text.utf8.dropFirst(7)
        return text.utf8.starts(with: "device:".utf8) && digits.count == 12
            && digits.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }
    }

    /// The name, computed on each call.
    package var description: String { Self.name(Array(id.utf8)[...]) }

    /// `text` with the ids after `/installations/` replaced by the names of the installations.
    package static func redacted(_ text: String) -> String {
        var result: [UInt8] = []
        var rest = Array(text.utf8)[...]
        while let slash = rest.firstIndex(of: UInt8(ascii: "/")) {
            result += rest[...slash]
            rest = rest[(slash + 1)...]
            guard rest.starts(with: collection) else { continue }
            let id = rest.dropFirst(collection.count).prefix { !ends.contains($0) }
            guard !id.isEmpty else { continue }
            result += collection + name(id).utf8
            rest = rest[id.endIndex...]
        }
        return String(decoding: result + rest, as: UTF8.self)
    }

    /// `condition` with the names of installations in place of the texts with which it compares their ids. Also for texts
    /// that quote a condition.
    package static func redacted(condition: String) -> String {
        guard condition.contains(signal) else { return condition }
        var result = ""
        var rest = condition[...]
        while let found = rest.firstRange(of: signal) {
            result += rest[..<found.upperBound]
            rest = rest[found.upperBound...]
            // As far as the term goes. A sign between quotes is none.
            while let next = rest.firstIndex(where: { $0 == "'" || $0 == "&" }), rest[next] == "'" {
                result += rest[...next]
                rest = rest[rest.index(after: next)...]
                let id = quoted(rest)
                result += name(Array(id.utf8)[...])
                rest = rest[id.endIndex...]
                if rest.first == "'" {
                    result += "'"
                    rest = rest.dropFirst()
                }
            }
        }
        return result + rest
    }

    /// Blanks may stand around the point before it.
    private static let signal = "firebaseInstallationId"

    /// The beginning up to the quote that ends it. A backslash escapes a quote or a backslash.
    private static func quoted(_ text: Substring) -> Substring {
        var isEscaped = false
        for index in text.indices {
            if isEscaped {
                isEscaped = false
            } else if text[index] == "\\" {
                isEscaped = true
            } else if text[index] == "'" {
                return text[..<index]
            }
        }
        return text
    }

    private static func name(_ id: ArraySlice<UInt8>) -> String { "device:\(SHA256Hasher.hash(id).hex.prefix(12))" }
}
