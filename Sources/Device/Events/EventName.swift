/// What an event may be called. Pure.
enum EventName {
    static let characterLimit = 40

    /// A letter, then letters, digits and underscores, of ASCII.
    static func isValid(_ name: String) -> Bool {
        guard let first = name.utf8.first, isLetter(first), name.utf8.count <= characterLimit else { return false }
        return name.utf8.allSatisfy { isLetter($0) || (0x30...0x39).contains($0) || $0 == UInt8(ascii: "_") }
    }

    private static func isLetter(_ byte: UInt8) -> Bool {
        (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
    }
}
