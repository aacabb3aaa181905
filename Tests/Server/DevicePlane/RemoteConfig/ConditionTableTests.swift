import Foundation
import HearthWire
import Testing

@testable import HearthManagementTestSupport

@Suite("Remote Config: every operator and signal, through the fetch") struct ConditionTableTests {
    /// A parameter for each condition: `in` where it holds, else `out`.
    private static func template(_ cases: [ConditionCase]) throws -> String {
        let conditions = cases.enumerated().map {
            RemoteConfigCondition(name: "c\($0.offset)", expression: $0.element.condition)
        }
        let parameters = conditions.enumerated().map { index, condition in
            (
                "p\(index)",
                RemoteConfigParameter(defaultValue: .text("out"), conditionalValues: [condition.name: .text("in")])
            )
        }
        let template = RemoteConfigTemplate(
            conditions: conditions, parameters: Dictionary(uniqueKeysWithValues: parameters))
        return String(decoding: try WireJSON.encode(template), as: UTF8.self)
    }

    @Test("Each condition is true of the one device and not of the other")
    func table() throws {
        let cases = ConditionCase.all
        let service = try TestService()
        try service.putTemplate(Self.template(cases))
        for (index, row) in cases.enumerated() {
            for (device, expected) in [(row.inside, "in"), (row.outside, "out")] {
                guard let device else { continue }
                let answer = try service.fetch(device)
                #expect(answer.string("entries.p\(index)") == expected, "\(row.condition): \(device.title)")
            }
        }
        if ProcessInfo.processInfo.environment["HEARTH_PRINT_CONDITIONS"] != nil {
            print(ConditionCase.markdown)
        }
    }

    @Test("A condition that is true of everybody or of nobody is so for each client")
    func constant() throws {
        let cases = ConditionCase.all
        let service = try TestService()
        try service.putTemplate(Self.template(cases))
        for client in FakeConfigClient.Client.allCases {
            let answer = try service.fetch(FakeConfigClient(client: client))
            for (index, row) in cases.enumerated() where row.inside == nil || row.outside == nil {
                let expected = row.inside == nil ? "out" : "in"
                #expect(answer.string("entries.p\(index)") == expected, "\(row.condition): \(client)")
            }
        }
    }
}

/// A condition, a device of which it is true, and one of which it is not.
struct ConditionCase: Sendable {
    let condition: String
    /// Nil where it is true of no device at all.
    let inside: FakeConfigClient?
    /// Nil where it is true of every device.
    let outside: FakeConfigClient?

    init(_ condition: String, in inside: FakeConfigClient?, out outside: FakeConfigClient?) {
        self.condition = condition
        self.inside = inside
        self.outside = outside
    }

    static var all: [ConditionCase] {
        literals + appVersions + appBuilds + apps + firstOpenings + userProperties + customSignals + devices + times
            + percentages + tags + unknown
    }

    private static let literals = [
        ConditionCase("true", in: .web(), out: nil),
        ConditionCase("false", in: nil, out: .web()),
        ConditionCase("true && true", in: .android(), out: nil),
        ConditionCase(
            "device.os == 'ios' && device.country in ['CH'] && app.version.>=(['2'])",
            in: .ios {
                $0.country = "ch"
                $0.version = "2.0"
            }, out: .ios { $0.country = "ch" }),
    ]

    /// The table in Markdown.
    static var markdown: String {
        let rows = all.map { row in
            [
                "`\(row.condition)`", row.inside?.title ?? "no device", row.outside?.title ?? "every device is in",
            ].map { $0.replacing("|", with: "\\|") }.joined(separator: " | ")
        }
        return (["Condition | In | Not in", "--- | --- | ---"] + rows).map { "| \($0) |" }.joined(separator: "\n")
    }
}
