/// Classes of bytes that names are made of.
enum ASCII {
    static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }

    static func isSmallLetter(_ byte: UInt8) -> Bool { (0x61...0x7A).contains(byte) }

    static func isCapitalLetter(_ byte: UInt8) -> Bool { (0x41...0x5A).contains(byte) }

    static func isLetter(_ byte: UInt8) -> Bool { isSmallLetter(byte) || isCapitalLetter(byte) }
}
