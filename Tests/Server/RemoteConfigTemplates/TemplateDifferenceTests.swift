import HearthRemoteConfigTemplates
import HearthWire
import Testing

/// What changed between two templates, for programs. The command line's tests have the lines for readers.
struct TemplateDifferenceTests {
    private let old = RemoteConfigTemplate(
        conditions: [
            RemoteConfigCondition(name: "beta", expression: "percent <= 10"),
            RemoteConfigCondition(name: "swiss", expression: "device.country in ['CH']"),
        ],
        parameters: ["colour": RemoteConfigParameter(defaultValue: .text("red"))],
        parameterGroups: [
            "A": RemoteConfigParameterGroup(parameters: ["model": RemoteConfigParameter(defaultValue: .text("a"))]),
            "B": RemoteConfigParameterGroup(parameters: [:]),
        ])

    private func changes(_ change: (inout RemoteConfigTemplate) -> Void) -> [TemplateDifference.Change] {
        var new = old
        change(&new)
        return TemplateDifference(from: old, to: new).changes
    }

    private func only(
        _ change: (inout RemoteConfigTemplate) -> Void
    ) throws -> TemplateDifference.Change {
        let changes = changes(change)
        #expect(changes.count == 1)
        return try #require(changes.first)
    }

    @Test func eachChangeHasItsKindItsPlaceAndBothSides() throws {
        let value = try only { $0.parameters?["colour"]?.defaultValue = .text("green") }
        #expect(value.kind == .changed && value.place == .parameter("colour"))
        #expect(value.before == .value(.text("red")) && value.after == .value(.text("green")))

        let added = try only { $0.parameters?["colour"]?.conditionalValues = ["beta": .inAppDefault] }
        #expect(added.kind == .added && added.before == nil && added.after == .value(.inAppDefault))
        #expect(added.place == .conditionalValue(parameter: "colour", condition: "beta"))

        let removed = try only { $0.conditions?.removeLast() }
        #expect(removed.kind == .removed && removed.place == .condition("swiss") && removed.after == nil)
        #expect(removed.before == .word("device.country in ['CH']"))
        #expect(changes { _ in } == [])
    }

    @Test func conditionsInAnotherOrderMoved() throws {
        let moved = changes { $0.conditions?.reverse() }
        #expect(moved.map(\.kind) == [.moved] && moved.map(\.place) == [.conditionOrder])
        #expect(moved.first?.before == .names(["beta", "swiss"]) && moved.first?.after == .names(["swiss", "beta"]))
    }

    @Test func aParameterInAnotherGroupMovedAndANewOneDidNot() {
        let moved = changes {
            $0.parameterGroups?["B"]?.parameters = old.parameterGroups?["A"]?.parameters
            $0.parameterGroups?["A"]?.parameters = [:]
        }
        #expect(moved.map(\.kind) == [.moved] && moved.map(\.place) == [.parameterGroup("model")])
        #expect(moved.first?.before == .word("A") && moved.first?.after == .word("B"))
        let new = changes { $0.parameterGroups?["B"]?.parameters = ["size": RemoteConfigParameter()] }
        #expect(new.map(\.kind) == [.added, .added])
    }

    @Test func whereTwoLongTextsDiffer() throws {
        let (start, end) = (String(repeating: "é", count: 5000), String(repeating: "z", count: 70))
        var longOld = old
        longOld.parameters?["colour"]?.defaultValue = .text(start + "red" + end)
        var longNew = old
        longNew.parameters?["colour"]?.defaultValue = .text(start + "blue" + end)
        let change = try #require(TemplateDifference(from: longOld, to: longNew).changes.first)
        let difference = try #require(change.textDifference)
        #expect(difference.commonPrefix == 5000 && difference.commonSuffix == 70)
        #expect(difference.before == "red" && difference.after == "blue")
        // What was only inserted has nothing on the one side.
        let inserted = TextDifference(from: "aaa", to: "aaaa")
        #expect(inserted.before == "" && inserted.after == "a" && inserted.commonPrefix == 3)
    }
}
