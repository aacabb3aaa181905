import Dispatch
import HearthTargeting
import Testing

struct ConditionSyntaxTests {
    /// A condition, the column of its first unreadable character, and a part of what is said about it.
    static let malformed: [(String, Int, String)] = [
        ("", 1, "found the end"),
        ("   ", 4, "found the end"),
        ("tru", 1, "no signal 'tru'"),
        ("app.versions.<(['1'])", 5, "no signal app.versions"),
        ("app.version.<(['1', '2'])", 15, "exactly one version"),
        ("app.version.<(['one'])", 15, "not a version"),
        ("app.version.like(['1'])", 13, "no comparison .like"),
        ("app.version.contains('1')", 22, "Expected '['"),
        ("app.version.contains([])", 23, "in single quotes"),
        ("app.version.contains(['1'", 26, "',' or ']'"),
        ("app.version.matches(['a(b'])", 21, "not a regular expression"),
        ("device.country == 'CH'", 16, "Expected 'in'"),
        ("device.country in [\"CH\"]", 20, "single quotes"),
        ("device.os = 'ios'", 11, "Compare with '=='"),
        ("device.os > 'ios'", 11, "'==', '!='"),
        ("device.os == 'ios", 14, "no end"),
        ("true & true", 6, "joined by '&&'"),
        ("true || true", 6, "Expected exactly one term in OR condition here"),
        ("!true", 1, "NOT condition is not allowed here"),
        ("true && !true", 9, "NOT condition is not allowed here"),
        ("true true", 6, "'&&' or the end"),
        ("true &&", 8, "found the end"),
        ("percent <= 101", 12, "0 to 100"),
        ("percent < 10", 9, "'<=', '>'"),
        ("percent between 20 and 10", 17, "less than the second"),
        ("percent between 20 10", 20, "Expected 'and'"),
        ("percent('a b') <= 10", 9, "seed"),
        ("percent <= 1.2.3", 12, "not a number"),
        ("dateTime < '2026-01-01T00:00:00'", 12, "Expected 'dateTime'"),
        ("dateTime < dateTime('2026-13-01T00:00:00')", 21, "not a time"),
        ("dateTime < dateTime('2026-02-30T00:00:00')", 21, "not a time"),
        ("dateTime < dateTime('2026-01-01T00:00:00', 'Bern')", 44, "not a time zone"),
        ("dateTime == dateTime('2026-01-01T00:00:00')", 10, "Expected '<'"),
        ("app.userProperty['age'] == '41'", 28, "a number"),
        ("app.userProperty[age] == 41", 18, "single quotes"),
        ("version(app.version) >= '1'", 13, "customSignal"),
        ("app.audiences.contains(['a'])", 15, "inAtLeastOne"),
        ("true # comment", 6, "no meaning"),
    ]

    @Test(arguments: malformed) func theErrorPointsAtTheCharacter(_ text: String, _ column: Int, _ part: String) {
        #expect {
            try Condition(text)
        } throws: { error in
            let error = error as? ConditionSyntaxError
            #expect(error?.column == column, "\(text): \(String(describing: error))")
            #expect(error?.message.contains(part) == true, "\(text): \(String(describing: error))")
            return true
        }
    }

    @Test(arguments: [
        ("true && !true", "true && !true\n        ^"), ("true\n\t&& !true", "true  && !true\n         ^"),
    ])
    func theMarkStandsUnderTheCharacter(_ text: String, _ marked: String) {
        let error = #expect(throws: ConditionSyntaxError.self) { try Condition(text) }
        #expect(error?.marked(in: text) == marked)
    }

    @Test func termsAndIDsAreCounted() throws {
        _ = try Condition(Array(repeating: "true", count: 50).joined(separator: " && "))
        #expect(throws: ConditionSyntaxError.self) {
            try Condition(Array(repeating: "true", count: 51).joined(separator: " && "))
        }
        let ids = (1...51).map { "'\($0)'" }
        _ = try Condition("app.firebaseInstallationId in [\(ids.prefix(50).joined(separator: ","))]")
        #expect(throws: ConditionSyntaxError.self) {
            try Condition("app.firebaseInstallationId in [\(ids.joined(separator: ","))]")
        }
    }

    @Test func regularExpressionsAndItemsAreCounted() throws {
        func matches(_ count: Int) -> String {
            "app.version.matches([\(Array(repeating: "'a'", count: count).joined(separator: ","))])"
        }
        _ = try Condition("\(matches(15)) && \(matches(5))")
        #expect(throws: ConditionSyntaxError.self) { try Condition("\(matches(15)) && \(matches(6))") }
        let items = Array(repeating: "'a'", count: 101)
        _ = try Condition("app.version.contains([\(items.dropLast().joined(separator: ","))])")
        #expect(throws: ConditionSyntaxError.self) {
            try Condition("app.version.contains([\(items.joined(separator: ","))])")
        }
    }

    @Test func noTextMakesTheReaderFail() {
        var seed: UInt64 = 7
        func random(_ count: Int) -> Int {
            seed = seed &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int(seed >> 33) % count
        }
        let pieces =
            ConditionTests.trueOnes.joined(separator: " ").map(String.init) + [
                "&&", "['", "'", "(", "\u{1F600}", "\r\n",
            ]
        for _ in 1...2000 {
            let text = (0...random(30)).map { _ in pieces[random(pieces.count)] }.joined()
            guard
                case .failure(let error) = Result(catching: { () throws(ConditionSyntaxError) in try Condition(text) })
            else { continue }
            #expect((1...text.count + 1).contains(error.column), "\(text)")
        }
    }

    /// A pattern on which a reader that goes back and forth would think for years.
    @Test func aHostilePatternTakesNoTime() throws {
        var device = ConditionTests.device
        device.customSignals["t"] = String(repeating: "a", count: 500) + "!"
        let condition = try Condition("app.customSignal['t'].matches(['^(a+)+$'])")
        #expect(!condition.holds(for: device, nowMicroseconds: 0))
    }

    @Test func manyThreadsMayAskTheSameCondition() throws {
        let condition = try Condition("app.customSignal['city'].matches(['^B.*n$']) && percent('s') <= 100")
        DispatchQueue.concurrentPerform(iterations: 8) { _ in
            for _ in 1...200 { #expect(condition.holds(for: ConditionTests.device, nowMicroseconds: 0)) }
        }
    }
}
