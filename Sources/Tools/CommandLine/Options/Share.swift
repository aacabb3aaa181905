import HearthArguments

/// A share of the installations, exact to a millionth: `10%`, `0.1`.
struct Share: Equatable, Comparable {
    /// 0 to 1,000,000.
    let millionths: Int

    static let none = Share(millionths: 0)
    static let whole = Share(millionths: 1_000_000)

    init(millionths: Int) { self.millionths = millionths }

    /// The value in JSON.
    init(fraction: Double) {
        millionths = fraction.isFinite ? Int((min(max(fraction, 0), 1) * 1_000_000).rounded()) : 0
    }

    var fraction: Double { Double(millionths) / 1_000_000 }

    /// `10%`, `0.05%`, `100%`.
    var text: String {
        let whole = millionths / 10_000
        var decimals = String(millionths % 10_000 + 10_000).dropFirst()
        while decimals.hasSuffix("0") { decimals.removeLast() }
        return decimals.isEmpty ? "\(whole)%" : "\(whole).\(decimals)%"
    }

    static func < (left: Share, right: Share) -> Bool { left.millionths < right.millionths }
}

extension Share: ExpressibleByArgument {
    /// Reads a percentage with up to four decimals, or a fraction below 1 with up to six. Refuses a plain `1`, which could mean one
    /// percent or all. Signs and exponents are not allowed.
    init?(argument: String) {
        let isPercentage = argument.hasSuffix("%")
        let number = isPercentage ? argument.dropLast() : argument[...]
        guard let millionths = Self.scaled(number, decimals: isPercentage ? 4 : 6), millionths <= 1_000_000,
            isPercentage || millionths < 1_000_000
        else { return nil }
        self.init(millionths: millionths)
    }

    var defaultValueDescription: String { text }

    static let expectation = "a share such as 10% or 0.1, from 0% to 100%"

    /// Reads the share that follows an option, or says what is wrong with it.
    static func given(_ text: String, _ option: String) throws(ValidationError) -> Share {
        if let share = Share(argument: text) { return share }
        // The mistakes with the worst effects get their own messages.
        if text == "1" { throw ValidationError("\(option) '1' is ambiguous: write 1% or 100%.") }
        let isEmptyColumn = isDigits(text[...]) && (1...3).contains(text.utf8.count)
        guard !isEmptyColumn else {
            throw ValidationError("\(option) '\(text)': write \(text)% or a fraction such as 0.1.")
        }
        throw ValidationError("\(option) '\(text)': give \(expectation).")
    }

    /// Digits with a decimal point, times ten to the power of `decimals`; nil if there are more decimals.
    private static func scaled(_ text: Substring, decimals: Int) -> Int? {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count <= 2, let whole = parts.first, (1...9).contains(whole.utf8.count), isDigits(whole) else {
            return nil
        }
        guard parts.count == 2 else { return Int("\(whole)\(String(repeating: "0", count: decimals))") }
        guard (1...decimals).contains(parts[1].utf8.count), isDigits(parts[1]) else { return nil }
        let zeros = String(repeating: "0", count: decimals - parts[1].utf8.count)
        return Int("\(whole)\(parts[1])\(zeros)")
    }

    private static func isDigits(_ text: Substring) -> Bool { text.utf8.allSatisfy { (0x30...0x39).contains($0) } }
}
