/// Names of models, experiments and variants, as servers give them. Pure.
enum ReportedName {
    private static let limit = 32

    /// Letters, digits, hyphens and underscores of ASCII. A server refuses a batch with any other as a whole.
    static func isValid(_ name: String) -> Bool {
        (1...limit).contains(name.utf8.count)
            && name.utf8.allSatisfy { byte in
                (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
                    || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "_")
            }
    }
}
