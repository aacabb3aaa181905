/// How files in a weight cache's folder are called: `<hash>-<rest>.weights`, and `.<number>` after that while they are
/// written.
enum WeightCacheName {
    private static let marker = ".weights"
    private static let hashDigits = 64
    private static let restDigits = 16

    static func complete(modelHash: String, rest: some StringProtocol) -> String {
        "\(modelHash)-\(rest)\(marker)"
    }

    /// Another one with each call, in each process.
    static func temporary(for path: String) -> String {
        "\(path).\(String(UInt64.random(in: .min ... .max), radix: 16))"
    }

    /// Whether a file bears the name of one that is being written, as this or an earlier version calls it.
    static func isTemporary(_ name: String) -> Bool {
        let parts = name.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard parts.count == 3, !parts[2].isEmpty, String(parts[1]) == String(marker.dropFirst()) else { return false }
        let digits = parts[0].split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
        return digits.map(\.count) == [hashDigits, restDigits] && digits.joined().allSatisfy(isHexDigit)
    }

    private static func isHexDigit(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte)
    }
}
