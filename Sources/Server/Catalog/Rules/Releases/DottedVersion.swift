/// An app's version: numbers with dots, compared number by number. Missing numbers are zero, so `2.1` equals `2.1.0`.
package struct DottedVersion: Sendable, Hashable, Comparable, CustomStringConvertible {
    /// Without trailing zeros.
    private let parts: [UInt64]

    /// Nil unless the text is one or more numbers of at most 18 digits with dots between, at most 64 bytes in all.
    package init?(_ text: String) {
        guard (1...64).contains(text.utf8.count) else { return nil }
        var parts: [UInt64] = []
        for part in text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false) {
            guard (1...18).contains(part.count), part.allSatisfy(ASCII.isDigit) else { return nil }
            parts.append(part.reduce(0) { $0 * 10 + UInt64($1 - UInt8(ascii: "0")) })
        }
        while parts.last == 0 { parts.removeLast() }
        self.parts = parts
    }

    package static func < (left: DottedVersion, right: DottedVersion) -> Bool {
        left.parts.lexicographicallyPrecedes(right.parts)
    }

    package var description: String {
        parts.isEmpty ? "0" : parts.map(String.init).joined(separator: ".")
    }
}
