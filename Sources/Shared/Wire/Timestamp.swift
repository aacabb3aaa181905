#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// A moment in time: microseconds since 1970-01-01T00:00:00Z, the resolution of the management API.
package struct Timestamp: Hashable, Comparable, Sendable {
    package var microseconds: Int64

    package init(microseconds: Int64) { self.microseconds = microseconds }
    package init(seconds: Int64) { self.microseconds = seconds.multipliedReportingOverflow(by: 1_000_000).partialValue }

    package var seconds: Int64 { microseconds.floorDivided(by: 1_000_000) }

    /// The present moment by the machine's clock.
    package static var now: Timestamp {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Timestamp(microseconds: Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1000)
    }

    package static func < (left: Timestamp, right: Timestamp) -> Bool { left.microseconds < right.microseconds }

    package func adding(seconds: Int64) -> Timestamp {
        Timestamp(microseconds: microseconds + seconds * 1_000_000)
    }

    /// RFC 3339 in UTC with exactly `fractionDigits` (0...6) digits: times of models have six, expiry times of links
    /// three.
    package func rfc3339(fractionDigits: Int) -> String {
        let days = microseconds.floorDivided(by: 86_400_000_000)
        let (year, month, day) = Self.civilDate(daysSinceEpoch: days)
        // On the first day that 64 bits can represent, this overflows, but the result is still right.
        let ofDay = microseconds &- days &* 86_400_000_000
        let second = ofDay / 1_000_000
        var text: [UInt8] = []
        text.reserveCapacity(27)
        Self.append(year, width: 4, "-", to: &text)
        Self.append(month, width: 2, "-", to: &text)
        Self.append(day, width: 2, "T", to: &text)
        Self.append(second / 3600, width: 2, ":", to: &text)
        Self.append(second / 60 % 60, width: 2, ":", to: &text)
        Self.append(second % 60, width: 2, fractionDigits > 0 ? "." : "Z", to: &text)
        if fractionDigits > 0 {
            let fraction = (fractionDigits..<6).reduce(ofDay % 1_000_000) { value, _ in value / 10 }
            Self.append(fraction, width: fractionDigits, "Z", to: &text)
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// Reads RFC 3339 in UTC (`Z`) without a fraction or with one to nine digits; ignores digits after the sixth.
    /// Foundation's formatter must know in advance whether there is a fraction, so this does not use it.
    package init?(rfc3339 text: String) {
        let characters = Array(text.utf8)
        guard characters.count >= 20, characters.last == UInt8(ascii: "Z") else { return nil }
        for (index, separator) in [(4, "-"), (7, "-"), (10, "T"), (13, ":"), (16, ":")] {
            guard characters[index] == separator.utf8.first else { return nil }
        }
        func number(_ range: Range<Int>) -> Int64? {
            var value: Int64 = 0
            for character in characters[range] {
                guard (48...57).contains(character) else { return nil }
                value = value * 10 + Int64(character - 48)
            }
            return value
        }
        guard let year = number(0..<4), let month = number(5..<7), (1...12).contains(month),
            let day = number(8..<10), day >= 1, day <= Self.dayCount(year, month), let hour = number(11..<13),
            hour < 24,
            let minute = number(14..<16), minute < 60, let second = number(17..<19), second <= 60
        else { return nil }
        var fraction: Int64 = 0
        if characters.count > 20 {
            let digits = characters.count - 21
            guard characters[19] == UInt8(ascii: "."), (1...9).contains(digits),
                let value = number(20..<(characters.count - 1))
            else { return nil }
            fraction = value
            for _ in digits..<max(digits, 6) { fraction *= 10 }
            for _ in min(digits, 6)..<digits { fraction /= 10 }
        }
        let days = Self.daysSinceEpoch(year: year, month: month, day: day)
        microseconds = ((days * 24 + hour) * 60 + minute) * 60_000_000 + second * 1_000_000 + fraction
    }

    private static func append(_ value: Int64, width: Int, _ separator: Unicode.Scalar, to text: inout [UInt8]) {
        let digits = String(value).utf8
        for _ in digits.count..<max(digits.count, width) { text.append(UInt8(ascii: "0")) }
        text.append(contentsOf: digits)
        text.append(UInt8(ascii: separator))
    }

    /// Turns days into a date of the Gregorian calendar, counted in 400-year eras that begin on 1 March.
    private static func civilDate(daysSinceEpoch: Int64) -> (year: Int64, month: Int64, day: Int64) {
        let shifted = daysSinceEpoch + 719_468
        let era = shifted.floorDivided(by: 146_097)
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let monthFromMarch = (5 * dayOfYear + 2) / 153
        let month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
        let day = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
        return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, day)
    }

    private static func dayCount(_ year: Int64, _ month: Int64) -> Int64 {
        let next = month == 12 ? (year + 1, 1) : (year, month + 1)
        return daysSinceEpoch(year: next.0, month: next.1, day: 1) - daysSinceEpoch(year: year, month: month, day: 1)
    }

    private static func daysSinceEpoch(year: Int64, month: Int64, day: Int64) -> Int64 {
        let marchYear = month <= 2 ? year - 1 : year
        let era = marchYear.floorDivided(by: 400)
        let yearOfEra = marchYear - era * 400
        let monthFromMarch = month > 2 ? month - 3 : month + 9
        let dayOfYear = (153 * monthFromMarch + 2) / 5 + day - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        return era * 146_097 + dayOfEra - 719_468
    }
}

extension Int64 {
    fileprivate func floorDivided(by divisor: Int64) -> Int64 {
        let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? quotient - 1 : quotient
    }
}
