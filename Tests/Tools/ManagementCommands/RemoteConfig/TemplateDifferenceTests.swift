import HearthRemoteConfigTemplates
import HearthWire
import Testing

@testable import HearthManagementCommands

@Suite struct TemplateDifferenceTests {
    private let old = RemoteConfigTemplate(
        conditions: [
            RemoteConfigCondition(name: "beta", expression: "percent <= 10"),
            RemoteConfigCondition(name: "swiss", expression: "device.country in ['CH']", tagColor: "BLUE"),
        ],
        parameters: [
            "colour": RemoteConfigParameter(
                defaultValue: .text("red"), conditionalValues: ["beta": .text("blue")], valueType: "STRING"),
            "old": RemoteConfigParameter(defaultValue: .inAppDefault),
        ],
        parameterGroups: [
            "Models": RemoteConfigParameterGroup(parameters: ["model": RemoteConfigParameter(defaultValue: .text("a"))])
        ])

    private func lines(_ change: (inout RemoteConfigTemplate) -> Void) -> [String] {
        var new = old
        change(&new)
        return TemplateDifference(from: old, to: new).lines
    }

    @Test func nothingIsNothing() {
        #expect(lines { _ in } == [])
        // Neither the version nor what stands for the same is a change.
        #expect(lines { $0.version = RemoteConfigVersion(description: "later") } == [])
        #expect(lines { $0[parameter: "colour"]?.valueType = nil } == [])
        #expect(
            TemplateDifference(from: RemoteConfigTemplate(), to: RemoteConfigTemplate(conditions: [], parameters: [:]))
                .isEmpty)
    }

    @Test func valuesOfParameters() {
        #expect(
            lines { $0[parameter: "colour"]?.defaultValue = .text("green") } == [
                #"~ parameter colour: "red" -> "green""#
            ])
        #expect(
            lines { $0[parameter: "colour"]?.conditionalValues = ["swiss": .text("white")] } == [
                #"- parameter colour if 'beta': "blue""#, #"+ parameter colour if 'swiss': "white""#,
            ])
        #expect(lines { $0[parameter: "old"] = nil } == ["- parameter old: the app's own default"])
        #expect(lines { $0[parameter: "model"]?.defaultValue = .text("b") } == [#"~ parameter model: "a" -> "b""#])
        #expect(
            lines { $0[parameter: "size"] = RemoteConfigParameter(defaultValue: .text("3"), valueType: "NUMBER") } == [
                #"+ parameter size: "3""#, "+ parameter size, type: number",
            ])
        let rollout = RemoteConfigParameterValue.rollout(RemoteConfigRollout(rolloutId: "r1", value: "x", percent: 5))
        #expect(
            lines { $0[parameter: "colour"]?.conditionalValues = ["beta": rollout] } == [
                #"~ parameter colour if 'beta': "blue" -> "x" for 5.0% (rollout r1)"#
            ])
    }

    @Test func whatIsNotShownIsAChangeToo() {
        let long = String(repeating: "x", count: 100)
        func change(_ before: RemoteConfigParameterValue, _ after: RemoteConfigParameterValue) -> [String] {
            var (old, new) = (RemoteConfigTemplate(), RemoteConfigTemplate())
            old.parameters = ["p": RemoteConfigParameter(conditionalValues: ["c": before])]
            new.parameters = ["p": RemoteConfigParameter(conditionalValues: ["c": after])]
            return TemplateDifference(from: old, to: new).lines
        }
        let shown = String(repeating: "x", count: 60)
        #expect(
            change(.text(long + "1"), .text(long + "2")) == [
                #"~ parameter p if 'c': "\#(shown)…" -> another value with the same displayed text, "#
                    + #"from character 101: "1" -> "2""#
            ])
        #expect(
            change(.text("a\u{1}"), .text("a\u{2}")) == [
                #"~ parameter p if 'c': "a?" -> another value with the same displayed text, from character 2"#
            ])
        func rollout(_ end: Int64) -> RemoteConfigParameterValue {
            let range = RemoteConfigRollout.MicroPercentRange(microPercentStart: 5_000_000, microPercentEnd: end)
            return .rollout(RemoteConfigRollout(rolloutId: "r", value: "v", microPercentRange: range))
        }
        #expect(
            change(rollout(7_500_000), rollout(8_000_000)) == [
                #"~ parameter p if 'c': "v" for those from 5.0% to 7.5% (rollout r) -> "#
                    + #""v" for those from 5.0% to 8.0% (rollout r)"#
            ])
        func experiment(_ value: String?, _ percent: Double? = nil) -> RemoteConfigParameterValue {
            let variants = [("a", nil), ("b", value)].map { name, value in
                RemoteConfigExperimentValue.Variant(variantId: name, value: value, noChange: value == nil ? true : nil)
            }
            return .experiment(
                RemoteConfigExperimentValue(experimentId: "e", variantValue: variants, exposurePercent: percent))
        }
        #expect(
            change(experiment("1"), experiment("2")) == [
                #"~ parameter p if 'c': what experiment e gives (a: no change, b: "1") -> "#
                    + #"what experiment e gives (a: no change, b: "2")"#
            ])
        #expect(change(experiment("1", 5), experiment("1", 6)).count == 1)
    }

    @Test func conditionsAndTheirOrder() {
        #expect(
            lines { $0.conditions?[0].expression = "percent <= 20" } == [
                "~ condition 'beta': percent <= 10 -> percent <= 20"
            ])
        let last = RemoteConfigCondition(name: "last", expression: "true")
        #expect(lines { $0.conditions?.append(last) } == ["+ condition 'last': true"])
        #expect(
            lines { $0.conditions?.insert(last, at: 0) } == [
                "+ condition 'last': true", "~ conditions in this order: 'last', 'beta', 'swiss'",
            ])
        #expect(lines { $0.conditions?.reverse() } == ["~ conditions in this order: 'swiss', 'beta'"])
        #expect(
            lines { $0.conditions?.remove(at: 1) } == [
                "- condition 'swiss': device.country in ['CH']", "- condition 'swiss', colour: BLUE",
            ])
    }

    @Test func aLineIsALine() {
        let long = String(repeating: "x", count: 1000) + "\n\u{1B}[2J"
        let changed = lines { $0[parameter: "colour"]?.defaultValue = .text("a\nb\u{1B}[2J" + long) }
        #expect(changed.count == 1 && changed[0].count < 120)
        #expect(!changed[0].contains("\n") && !changed[0].contains("\u{1B}"))
    }
}
