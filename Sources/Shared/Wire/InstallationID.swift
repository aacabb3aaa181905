import Foundation

/// The form of an installation's id: `^[cdef][A-Za-z0-9_-]{21}$`.
public enum InstallationID {
    /// How many random bytes an id is made of.
    public static let randomByteCount = 17

    public static func isValid(_ text: String) -> Bool {
        let bytes = Array(text.utf8)
        return bytes.count == 22 && (0x63...0x66).contains(bytes[0])
            && bytes.allSatisfy { byte in
                (0x61...0x7A).contains(byte) || (0x41...0x5A).contains(byte) || (0x30...0x39).contains(byte)
                    || byte == 0x2D || byte == 0x5F
            }
    }

    /// The id that `random` gives: its first four bits become 0111, and the rest is cut to 22 characters of base64url.
    public static func text(random: [UInt8]) -> String {
        precondition(random.count == randomByteCount, "An installation's id is made of \(randomByteCount) bytes.")
        var bytes = random
        bytes[0] = 0x70 | (bytes[0] & 0x0F)
        let text = Data(bytes).base64EncodedString()
            .replacingOccurrences(of: "+", with: "-").replacingOccurrences(of: "/", with: "_")
        return String(text.prefix(22))
    }
}
