import Foundation

/// The form of an installation's id: `^[cdef][A-Za-z0-9_-]{21}$`.
package enum InstallationID {
    /// How many random bytes an id needs.
    package static let randomByteCount = 17

    package static func isValid(_ text: String) -> Bool {
        let bytes = Array(text.utf8)
        return bytes.count == 22 && (0x63...0x66).contains(bytes[0])
            && bytes.allSatisfy { byte in
                (0x61...0x7A).contains(byte) || (0x41...0x5A).contains(byte) || (0x30...0x39).contains(byte)
                    || byte == 0x2D || byte == 0x5F
            }
    }

    /// Why the text is no id of an installation; nil if it has the form of one.
    package static func refusal(of text: String) -> String? {
        guard !isValid(text) else { return nil }
        let shown = text.count > 40 ? "This text" : "'\(text)'"
        let count = text.count == 1 ? "1 character" : "\(text.count) characters"
        let form = "such an id has 22 letters, digits, hyphens or underscores, and begins with c, d, e or f"
        return text.utf8.count == 22
            ? "\(shown) is not an id of an installation: \(form)."
            : "\(shown) is not an id of an installation: it has \(count), and \(form)."
    }

    /// Makes an id from random bytes: the first four bits become 0111, and the base64url text is cut to 22 characters.
    package static func text(random: [UInt8]) -> String {
        precondition(random.count == randomByteCount, "An installation's id is made of \(randomByteCount) bytes.")
        var bytes = random
        bytes[0] = 0x70 | (bytes[0] & 0x0F)
        let text = Data(bytes).base64EncodedString()
            .replacingOccurrences(of: "+", with: "-").replacingOccurrences(of: "/", with: "_")
        return String(text.prefix(22))
    }
}
