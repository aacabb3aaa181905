import HearthWire

/// An app's version: numbers with dots, compared number by number. Missing numbers are zero, so `2.1` equals `2.1.0`.
package struct DottedVersion: Sendable, Hashable, Comparable, CustomStringConvertible {
    /// Without trailing zeros.
    private let parts: [UInt64]

    /// Nil unless the text is one or more numbers of at most 18 digits with dots between, at most 64 bytes in all.
    package init?(_ text: String) {
        guard WireNames.isAppVersion(text) else { return nil }
        var parts = text.utf8.split(separator: UInt8(ascii: ".")).map { part in
            part.reduce(0) { $0 * 10 + UInt64($1 - UInt8(ascii: "0")) }
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
