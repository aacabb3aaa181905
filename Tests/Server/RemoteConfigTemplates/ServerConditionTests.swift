import HearthRemoteConfigTemplates
import HearthTargeting
import HearthWire
import Testing

struct ServerConditionTests {
    private func json(_ text: String) throws -> String {
        let condition = try #require(ServerCondition(try Condition(text)))
        return String(decoding: try WireJSON.encode(condition), as: UTF8.self)
    }

    @Test(arguments: [
        (
            "percent('s') <= 12.5",
            #"{"percent":{"microPercent":12500000,"percentOperator":"LESS_OR_EQUAL","seed":"s"}}"#
        ),
        ("percent > 3", #"{"percent":{"microPercent":3000000,"percentOperator":"GREATER_THAN","seed":""}}"#),
        (
            "percent between 1 and 2",
            #"{"percent":{"microPercentRange":{"microPercentLowerBound":1000000,"microPercentUpperBound":2000000},"percentOperator":"BETWEEN","seed":""}}"#
        ),
        ("true", #"{"true":{}}"#),
        (
            "app.customSignal['k'].notContains(['a', 'b'])",
            #"{"customSignal":{"customSignalKey":"k","customSignalOperator":"STRING_DOES_NOT_CONTAIN","targetCustomSignalValues":["a","b"]}}"#
        ),
        (
            "app.customSignal['k'].matches(['^a+$'])",
            #"{"customSignal":{"customSignalKey":"k","customSignalOperator":"STRING_CONTAINS_REGEX","targetCustomSignalValues":["^a+$"]}}"#
        ),
        (
            "app.customSignal['k'] >= 4",
            #"{"customSignal":{"customSignalKey":"k","customSignalOperator":"NUMERIC_GREATER_EQUAL","targetCustomSignalValues":["4"]}}"#
        ),
        (
            "version(app.customSignal['k']) != '1.2.0'",
            #"{"customSignal":{"customSignalKey":"k","customSignalOperator":"SEMANTIC_VERSION_NOT_EQUAL","targetCustomSignalValues":["1.2"]}}"#
        ),
    ])
    func aTermIsATree(_ text: String, _ tree: String) throws {
        #expect(try json(text) == #"{"orCondition":{"conditions":[{"andCondition":{"conditions":["# + tree + "]}}]}}")
    }

    @Test func whatOnlyDevicesTellIsNone() throws {
        #expect(ServerCondition(try Condition("true && device.country in ['CH']")) == nil)
        #expect(ServerCondition(try Condition("app.userProperty['k'] == 1")) == nil)
    }
}
