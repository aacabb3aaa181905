import Foundation

/// Parses tokens to terms. The elements of the language are in `ConditionParser+Elements.swift`.
struct ConditionParser {
    private let tokens: [ConditionToken]
    private var index = 0
    /// The number of regular expressions parsed so far.
    var patternCount = 0
    let patterns: PatternCache

    /// - Returns: the terms, and the column at which each begins.
    static func terms(
        of text: String, patterns: PatternCache
    ) throws(ConditionSyntaxError) -> ([ConditionTerm], columns: [Int]) {
        var parser = ConditionParser(tokens: try ConditionLexer.tokens(of: text), patterns: patterns)
        var terms: [ConditionTerm] = []
        var columns: [Int] = []
        repeat {
            guard terms.count < Condition.termLimit else {
                throw parser.error("A condition may have at most \(Condition.termLimit) terms.")
            }
            columns.append(parser.current.column)
            terms.append(try parser.term())
        } while parser.skip(sign: "&&")
        // Firebase's own text, which users search for.
        if parser.isNext(sign: "||") { throw parser.error("Expected exactly one term in OR condition here") }
        guard parser.current.kind == .end else { throw parser.error(expecting: "'&&' or the end") }
        return (terms, columns)
    }

    private init(tokens: [ConditionToken], patterns: PatternCache) {
        self.tokens = tokens
        self.patterns = patterns
    }

    var current: ConditionToken { tokens[index] }

    func error(_ message: String, at token: ConditionToken? = nil) -> ConditionSyntaxError {
        ConditionSyntaxError(column: (token ?? current).column, message: message)
    }

    func error(expecting expected: String) -> ConditionSyntaxError {
        error("Expected \(expected), found \(current.name).")
    }

    @discardableResult
    mutating func advance() -> ConditionToken {
        defer { if index < tokens.count - 1 { index += 1 } }
        return current
    }

    func isNext(sign: String) -> Bool { current.kind == .sign(sign) }

    func isNext(word: String) -> Bool { current.kind == .word(word) }

    /// Takes the sign if it is next.
    mutating func skip(sign: String) -> Bool {
        guard isNext(sign: sign) else { return false }
        advance()
        return true
    }

    mutating func expect(sign: String) throws(ConditionSyntaxError) {
        guard skip(sign: sign) else { throw error(expecting: "'\(sign)'") }
    }

    mutating func expect(word: String) throws(ConditionSyntaxError) {
        guard isNext(word: word) else { throw error(expecting: "'\(word)'") }
        advance()
    }

    mutating func word(_ expected: String) throws(ConditionSyntaxError) -> String {
        guard case .word(let word) = current.kind else { throw error(expecting: expected) }
        advance()
        return word
    }

    mutating func text(_ expected: String) throws(ConditionSyntaxError) -> String {
        guard case .text(let text) = current.kind else { throw error(expecting: "\(expected) in single quotes") }
        advance()
        return text
    }

    mutating func number() throws(ConditionSyntaxError) -> ConditionNumber {
        guard case .number(let number) = current.kind else { throw error(expecting: "a number") }
        advance()
        return number
    }

    /// One of the comparisons that the element allows.
    mutating func comparison(
        of allowed: [Comparison] = Comparison.allCases
    ) throws(ConditionSyntaxError) -> Comparison {
        if case .sign(let sign) = current.kind, let comparison = Comparison(rawValue: sign),
            allowed.contains(comparison)
        {
            advance()
            return comparison
        }
        throw error(expecting: allowed.map { "'\($0.rawValue)'" }.joined(separator: ", "))
    }

    /// `['a', 'b']`, with at least one text.
    mutating func list() throws(ConditionSyntaxError) -> [String] {
        try expect(sign: "[")
        var items: [String] = []
        repeat {
            guard items.count < Condition.itemLimit else {
                throw error("A list may have at most \(Condition.itemLimit) items.")
            }
            items.append(try text("a text"))
        } while skip(sign: ",")
        guard skip(sign: "]") else { throw error(expecting: "',' or ']'") }
        return items
    }
}

extension ConditionParser {
    /// `percent <= 10`, `percent('seed') > 10`, `percent between 10 and 20.5`.
    mutating func percent() throws(ConditionSyntaxError) -> ConditionTerm {
        let seed = try seed()
        if isNext(word: "between") {
            advance()
            let start = current
            let lower = try share()
            try expect(word: "and")
            let upper = try share()
            guard lower < upper else { throw error("The first number must be less than the second.", at: start) }
            return .percent(.between(lower, upper), seed: seed)
        }
        guard case .sign = current.kind else { throw error(expecting: "'<=', '>' or between") }
        let comparison = try comparison(of: [.lessOrEqual, .greater])
        let limit = try share()
        return .percent(comparison == .lessOrEqual ? .upTo(limit) : .above(limit), seed: seed)
    }

    private mutating func seed() throws(ConditionSyntaxError) -> String {
        guard skip(sign: "(") else { return "" }
        let start = current
        let seed = try text("a seed")
        let isSound = seed.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "."):
                true
            default: false
            }
        }
        guard isSound, seed.utf8.count <= 32 else {
            throw error("A seed may have at most 32 letters, digits, '-', '_' and '.'.", at: start)
        }
        try expect(sign: ")")
        return seed
    }

    /// A number of percent, in millionths of a percent.
    private mutating func share() throws(ConditionSyntaxError) -> Int64 {
        let start = current
        let number = try number().value
        guard (0...100).contains(number) else { throw error("A percentage is 0 to 100.", at: start) }
        return Int64((number * 1_000_000).rounded())
    }

    /// `< dateTime('2017-03-22T13:39:44')`; for the first opening of the app also without the word `dateTime`.
    mutating func time(_ signal: TimeSignal) throws(ConditionSyntaxError) -> ConditionTerm {
        let comparison = try comparison(of: [.less, .lessOrEqual, .greater, .greaterOrEqual])
        if signal == .now || isNext(word: "dateTime") { try expect(word: "dateTime") }
        try expect(sign: "(")
        let start = current
        let text = try text("a time")
        var zone = "GMT"
        var zoneToken = current
        if skip(sign: ",") {
            zoneToken = current
            zone = try self.text("a time zone")
        }
        try expect(sign: ")")
        do throws(ZonedTime.Malformed) {
            return .time(signal, comparison, microseconds: try ZonedTime.microseconds(text, zone: zone))
        } catch {
            switch error {
            case .time:
                throw self.error("'\(text)' is not a time; write it as 2026-11-21T13:00:00.", at: start)
            case .zone:
                throw self.error("'\(zone)' is not a time zone; write it as Europe/Zurich.", at: zoneToken)
            }
        }
    }
}

/// A date and a time of day, as a clock in some place shows them.
enum ZonedTime {
    enum Malformed: Error {
        case time
        case zone
    }

    /// Microseconds since 1970 of `2017-03-22T13:39:44` in that zone of the IANA database.
    ///
    /// A change of clocks skips or repeats times. Of a repeated time, the first one counts. A skipped time is later by as
    /// much as was skipped: where midnight becomes one o'clock, midnight means that moment. Foundation's calendar does so.
    static func microseconds(_ text: String, zone name: String) throws(Malformed) -> Int64 {
        guard let zone = TimeZone(identifier: name) else { throw .zone }
        guard let components = components(text) else { throw .time }
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = .gmt
        // In a zone that skips times, these would not be valid.
        guard components.isValidDate(in: calendar) else { throw .time }
        calendar.timeZone = zone
        guard let date = calendar.date(from: components) else { throw .time }
        return Int64(date.timeIntervalSince1970.rounded()) * 1_000_000
    }

    private static func components(_ text: String) -> DateComponents? {
        let halves = text.split(separator: "T", omittingEmptySubsequences: false)
        guard halves.count == 2, let date = numbers(halves[0], "-", [4, 2, 2]),
            let time = numbers(halves[1], ":", [2, 2, 2]), time[0] < 24, time[1] < 60, time[2] < 60
        else { return nil }
        return DateComponents(
            year: date[0], month: date[1], day: date[2], hour: time[0], minute: time[1], second: time[2])
    }

    private static func numbers(_ text: Substring, _ separator: Character, _ digits: [Int]) -> [Int]? {
        let parts = text.split(separator: separator, omittingEmptySubsequences: false)
        guard parts.count == digits.count else { return nil }
        var numbers: [Int] = []
        for (part, count) in zip(parts, digits) {
            guard part.utf8.count == count, part.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let number = Int(part)
            else { return nil }
            numbers.append(number)
        }
        return numbers
    }
}
