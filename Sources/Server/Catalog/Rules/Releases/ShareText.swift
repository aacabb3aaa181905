/// Reads shares that people write, on the command line and in forms.
///
/// A share is a number of percent with `%`, or a plain number, which means what the place says: a fraction on the command
/// line, percent in a form. A comma is a decimal point. Signs and exponents are not allowed.
package enum ShareText {
    /// What a number without `%` means.
    package enum PlainNumber: Sendable {
        /// Below 1: a plain `1` could mean one percent or all.
        case fraction
        case percent
    }

    /// Why a text is no share.
    package struct Malformed: Error, Sendable, Hashable {
        /// A sentence without its end, such as `write 33.3% or a fraction below 1`.
        package let advice: String
    }

    /// - Returns: millionths.
    package static func millionths(_ text: String, plain: PlainNumber) throws(Malformed) -> Int {
        var number = text.trimmed
        let isPercentage = number.hasSuffix("%")
        if isPercentage { number = String(number.dropLast()).trimmed }
        let parts = number.replacing(",", with: ".").split(separator: ".", omittingEmptySubsequences: false)
        guard (1...2).contains(parts.count), parts.allSatisfy({ !$0.isEmpty && isDigits($0) }), let whole = parts.first,
            whole.utf8.count <= 9
        else {
            throw Malformed(advice: "give a share such as \(plain.example), from 0% to 100%")
        }
        let isFraction = !isPercentage && plain == .fraction
        if isFraction, Int(whole) != 0 {
            throw Malformed(advice: "write \(number)% or a fraction below 1, such as 0.1")
        }
        let digits = parts.count == 2 ? parts[1].withoutFinalZeros : ""
        let most = isFraction ? 6 : 4
        guard digits.utf8.count <= most else {
            throw Malformed(
                advice: """
                    a share is exact to a ten-thousandth of a percent: write at most \(most) digits behind the point, such as \
                    \(isFraction ? "0.333333" : "33.3333%")
                    """)
        }
        let zeros = String(repeating: "0", count: most - digits.utf8.count)
        let millionths = Int("\(whole)\(digits)\(zeros)") ?? .max
        guard millionths <= 1_000_000 else { throw Malformed(advice: "a share is at most 100%") }
        return millionths
    }

    private static func isDigits(_ text: Substring) -> Bool { text.utf8.allSatisfy { (0x30...0x39).contains($0) } }
}

extension ShareText.PlainNumber {
    fileprivate var example: String {
        switch self {
        case .fraction: "10% or 0.1"
        case .percent: "10 or 0.5%"
        }
    }
}

extension Substring {
    /// Decimals mean the same without them.
    var withoutFinalZeros: Substring {
        var text = self
        while text.hasSuffix("0") { text.removeLast() }
        return text
    }
}

extension String {
    fileprivate var trimmed: String {
        let rest = drop(while: \.isWhitespace)
        return String(rest.prefix(rest.reversed().drop(while: \.isWhitespace).count))
    }
}
