import Synchronization
import Testing

@testable import HearthTargeting

@Suite("What conditions cost") struct ConditionCostTests {
    private static func matches(_ patterns: [String], _ key: String = "k") -> String {
        "app.userProperty['\(key)'].matches([\(patterns.map { "'\($0)'" }.joined(separator: ", "))])"
    }

    /// A device that says as much as it may.
    private static var talkative: DeviceFacts {
        var device = DeviceFacts(installationID: "cABCDEFGHIJKLMNOPQRSTU", appID: "1:1:ios:ab")
        device.userProperties["k"] = String(repeating: "\u{8A9E}", count: 500)
        return device
    }

    @Test("Ordinary expressions need few instructions, and classes of Unicode hundreds for each")
    func ordinary() throws {
        for text in ["^2\\.1", "pro|premium|trial", "(?i)samsung|xiaomi|huawei", "^[a-z0-9._%+-]+@example\\.com$"] {
            #expect((5...120).contains(try TextPattern(text).instructions), "\(text)")
        }
        #expect((500...2000).contains(try TextPattern("\\p{L}+").instructions))
        #expect(try TextPattern("[\\x{0}-\\x{10FFFF}]{300}").instructions > 2000)
        // Nothing of it is left when it is read, and reading it takes a while all the same.
        #expect(try TextPattern("(?:[\\p{L}\\P{Lu}]{0}){0}").instructions > 500)
        // It is searched from both ends.
        #expect(try TextPattern("a{200}$").instructions > TextPattern("a{200}").instructions + 190)
    }

    @Test("One expression needs so many instructions, and not one more")
    func oneExpression() throws {
        let limit = ConditionLimits.expressionInstructions
        // A letter is a byte to read and an instruction to run; four are the program's own.
        let longest = String(repeating: "a", count: (limit - 4) / 2)
        #expect(try TextPattern(longest).instructions == limit)
        _ = try Condition(Self.matches([longest]))
        let error = #expect(throws: ConditionSyntaxError.self) { try Condition(Self.matches([longest + "a"])) }
        #expect(error?.isTooLarge == true)
        #expect(error?.message.contains("one regular expression may need 8000") == true, "\(error?.message ?? "")")
        // What RE2 itself refuses is no matter of room.
        #expect(#expect(throws: ConditionSyntaxError.self) { try Condition(Self.matches(["("])) }?.isTooLarge == false)
    }

    @Test("All expressions together need so many instructions, and not one more; what stands twice counts once")
    func together() throws {
        let patterns = (10..<30).map { "^\($0)[a-f]{\($0)}$" }
        let all = try patterns.reduce(0) { $0 + (try TextPattern($1).instructions) }
        var fits = ConditionReader(limitInstructions: all)
        for pattern in patterns {
            _ = try fits.read(Self.matches([pattern]))
            _ = try fits.read(Self.matches([pattern], "other"))
        }
        #expect(fits.instructions == all && fits.conditions.count == 40)
        var tooSmall = ConditionReader(limitInstructions: all - 1)
        for pattern in patterns.dropLast() { _ = try tooSmall.read(Self.matches([pattern])) }
        let last = Self.matches([patterns[19]])
        let error = #expect(throws: ConditionSyntaxError.self) { try tooSmall.read(last) }
        #expect(error?.isTooLarge == true && error?.message.contains("Write fewer or shorter ones") == true)
    }

    @Test("Once there is no room, nothing is compiled any more, but what is known or has no expressions is read")
    func full() throws {
        let wide = "[\\x{0}-\\x{10FFFF}]{300}"
        var reader = ConditionReader(limitInstructions: 10_000)
        var refused = 0
        for number in 0..<1000 {
            do { _ = try reader.read(Self.matches(["\(wide)\(number)"])) } catch { refused += 1 }
        }
        #expect(refused > 990 && reader.instructions <= 10_000)
        #expect(throws: ConditionSyntaxError.self) { try reader.read(Self.matches(["x"])) }
        _ = try reader.read("percent <= 10 && app.userProperty['k'].contains(['a'])")
        _ = try reader.read(Self.matches(["\(wide)0"], "again"))
    }

    @Test("What was read before is taken over, and counts as much as if it was not")
    func known() throws {
        var first = ConditionReader()
        let text = Self.matches(["^b+$", "a"])
        let condition = try first.read(text)
        var second = ConditionReader(known: [text: condition])
        #expect(try second.read(text) == condition)
        #expect(second.instructions == first.instructions && first.instructions > 0)
        var small = ConditionReader(limitInstructions: 5, known: [text: condition])
        #expect(throws: ConditionSyntaxError.self) { try small.read(text) }
    }

    @Test("An expression that new and known conditions share is there once, however often a template is put")
    func shared() throws {
        let pattern = "^b+$"
        var known: [String: Condition] = [:]
        for round in 0..<4 {
            var reader = ConditionReader(known: known)
            // The new one comes first, and has compiled the expression when the known ones are taken over.
            for key in (0...round).reversed() { _ = try reader.read(Self.matches([pattern, "a"], "k\(key)")) }
            known = reader.conditions
            let compiled = Set(known.values.flatMap(\.patterns).map(ObjectIdentifier.init))
            #expect(compiled.count == 2, "in round \(round)")
        }
    }

    @Test("A condition that stands alone has its own limit")
    func alone() throws {
        let wide = "[\\x{0}-\\x{10FFFF}]{300}"
        let large = try Condition(Self.matches((0..<4).map { "\(wide)\($0)" }))
        #expect((8_000...ConditionLimits.conditionInstructions).contains(large.instructions))
        #expect(throws: ConditionSyntaxError.self) { try Condition(Self.matches((0..<9).map { "\(wide)\($0)" })) }
    }

    @Test("The dearest conditions and device take no more steps than a fetch has, and are false from there on")
    func steps() throws {
        let patterns = (0..<20).map { "(a?){50}[\\x{0}-\\x{10FFFF}]{20}\($0)" }
        var reader = ConditionReader()
        let dear = try reader.read(Self.matches(patterns))
        var subject = EvaluationContext(Self.talkative, nowMicroseconds: 0)
        var asked = 0
        while !subject.isExhausted, asked < 10_000 {
            #expect(!dear.holds(for: &subject))
            asked += 1
        }
        #expect(subject.isExhausted && asked > 3, "\(asked)")
        #expect(subject.steps <= ConditionLimits.fetchSteps)
        #expect(subject.steps > ConditionLimits.fetchSteps - dear.cost.steps(bytes: 1500))
        let always = try Condition("true")
        #expect(!always.holds(for: &subject), "nothing is asked any more")
    }

    @Test("So many steps are there, and not one more")
    func stepLimit() throws {
        let condition = try Condition(Self.matches(["ab"]))
        let steps = condition.cost.steps(bytes: 1500)
        var enough = EvaluationContext(Self.talkative, nowMicroseconds: 0, limitSteps: steps)
        _ = condition.holds(for: &enough)
        #expect(!enough.isExhausted && enough.steps == steps)
        var less = EvaluationContext(Self.talkative, nowMicroseconds: 0, limitSteps: steps - 1)
        #expect(!condition.holds(for: &less) && less.isExhausted && less.steps == 0)
    }

    @Test(
        "Every term has its cost, which grows with its lists and with what the device says",
        arguments: [
            ("app.userProperty['k'].contains([L])", true), ("app.customSignal['k'].notContains([L])", true),
            ("app.version.exactlyMatches([L])", true), ("app.userProperty['k'].matches(['abc'])", true),
            ("app.userProperty['k'] > 1", true), ("version(app.userProperty['k']) > '1'", true),
            ("device.language in [L]", false), ("hearth.tags.inAll([L])", true), ("percent('s') <= 10", false),
            ("dateTime > dateTime('2026-01-01T00:00:00')", false), ("app.id == 'a'", true), ("true", false),
        ])
    func everyTerm(text: String, growsWithText: Bool) throws {
        func cost(_ count: Int) throws -> ConditionCost {
            let list = (0..<count).map { "'i\($0)'" }.joined(separator: ",")
            return try Condition(text.replacing("L", with: list)).cost
        }
        #expect(try cost(1).fixedSteps > 0)
        #expect(try (cost(1).stepsPerByte > 0) == growsWithText)
        if text.contains("L") { #expect(try cost(100).steps(bytes: 10) > 2 * cost(1).steps(bytes: 10)) }
        if text.contains("percent") { #expect(try cost(1).fixedSteps == ConditionLimits.drawSteps) }
    }

    @Test("Blanks of any kind around a text make no difference, however many there are")
    func blanks() throws {
        var device = Self.talkative
        device.userProperties["k"] =
            String(repeating: " \u{2003}\r\n", count: 100) + "pro plan" + String(repeating: "\t", count: 90)
        #expect(
            try Condition("app.userProperty['k'].exactlyMatches(['pro plan '])").holds(for: device, nowMicroseconds: 0))
        device.userProperties["k"] = String(repeating: " ", count: 500)
        #expect(try Condition("app.userProperty['k'].exactlyMatches([' '])").holds(for: device, nowMicroseconds: 0))
        #expect(try !Condition("app.userProperty['k'] == 0").holds(for: device, nowMicroseconds: 0))
    }

    @Test("A stored condition is read at the first question, and says once why it cannot be read")
    func stored() throws {
        let reasons = Reasons()
        let damaged = LazyCondition("percent <=") { reasons.add($0.message) }
        #expect(!damaged.isRead && reasons.all.isEmpty)
        for _ in 1...3 { #expect(damaged.condition == nil) }
        #expect(damaged.isRead && reasons.all.count == 1)
        let given = LazyCondition("percent <= 10", condition: try Condition("true"))
        #expect(given.isRead && given.condition?.text == "true")
    }
}

private final class Reasons: Sendable {
    private let reasons = Mutex<[String]>([])

    var all: [String] { reasons.withLock { $0 } }

    func add(_ reason: String) { reasons.withLock { $0.append(reason) } }
}
