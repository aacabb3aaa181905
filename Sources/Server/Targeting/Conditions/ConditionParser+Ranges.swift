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
            throw error("A seed has at most 32 letters, digits, '-', '_' and '.'.", at: start)
        }
        try expect(sign: ")")
        return seed
    }

    /// A number of percent as millionths of one.
    private mutating func share() throws(ConditionSyntaxError) -> Int64 {
        let start = current
        let number = try number()
        guard (0...100).contains(number) else { throw error("A percentage is 0 to 100.", at: start) }
        return Int64((number * 1_000_000).rounded())
    }

    /// `< dateTime('2017-03-22T13:39:44')`, and for the first opening of the app also without the word.
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
                throw self.error("'\(text)' is no time; write one as 2026-11-21T13:00:00.", at: start)
            case .zone:
                throw self.error("'\(zone)' is no time zone; write one as Europe/Zurich.", at: zoneToken)
            }
        }
    }
}
