import Dispatch
import Foundation
import HearthRemoteConfigTemplates
import HearthTargeting
import HearthTestSupport
import HearthWire
import Synchronization
import Testing

struct CompiledTemplateTests {
    private func device(_ id: String = "f", country: String? = nil, _ signals: [String: String] = [:]) -> DeviceFacts {
        var device = DeviceFacts(installationID: id, appID: "1:1:ios:a")
        device.country = country
        device.customSignals = signals
        return device
    }

    private func resolve(_ json: String, _ device: DeviceFacts) throws -> CompiledTemplate.Resolution {
        let template = try WireJSON.decode(RemoteConfigTemplate.self, from: json.utf8)
        return try CompiledTemplate(template).resolve(for: device, nowMicroseconds: 0)
    }

    private static let colours = """
        {"conditions": [
            {"name": "swiss", "expression": "device.country in ['CH']"},
            {"name": "vip", "expression": "app.customSignal['rank'].exactlyMatches(['vip'])"}],
         "parameters": {
            "colour": {"defaultValue": {"value": "grey"},
                "conditionalValues": {"vip": {"value": "gold"}, "swiss": {"value": "red"}}},
            "size": {"defaultValue": {"value": "9"}, "conditionalValues": {"swiss": {"useInAppDefault": true}}},
            "plain": {"defaultValue": {"useInAppDefault": true}, "conditionalValues": {"vip": {"value": "set"}}},
            "bare": {}},
         "parameterGroups": {"g": {"parameters": {"inside": {"defaultValue": {"value": "yes"}}}}}}
        """

    @Test func theDefaultIsForThoseWhomNoConditionHolds() throws {
        #expect(try resolve(Self.colours, device()).values == ["colour": "grey", "size": "9", "inside": "yes"])
    }

    @Test func theOrderOfTheConditionsDecides() throws {
        let both = try resolve(Self.colours, device(country: "CH", ["rank": "vip"])).values
        #expect(both == ["colour": "red", "plain": "set", "inside": "yes"])
        let vip = try resolve(Self.colours, device(country: "DE", ["rank": "vip"])).values
        #expect(vip == ["colour": "gold", "size": "9", "plain": "set", "inside": "yes"])
    }

    @Test func aConditionsOwnDefaultOfTheAppLeavesTheKeyOut() throws {
        #expect(try resolve(Self.colours, device(country: "CH")).values["size"] == nil)
    }

    @Test(arguments: [
        #""percent": 30"#, #""microPercentRange": {"microPercentStart": 20000000, "microPercentEnd": 50000000}"#,
    ])
    func aRolloutIsForItsShareAndTheOthersGetTheNext(share: String) throws {
        let json = """
            {"conditions": [{"name": "all", "expression": "true"}, {"name": "later", "expression": "true"}],
             "parameters": {"p": {"defaultValue": {"value": "old"}, "conditionalValues": {
                "all": {"rolloutValue": {"rolloutId": "r1", "value": "new", \(share)}},
                "later": {"value": "next"}}}}}
            """
        var news = 0
        for number in 0..<5000 {
            let found = try resolve(json, device("installation-\(number)"))
            let isNew = found.values["p"] == "new"
            #expect(isNew || found.values["p"] == "next")
            #expect(found.rollouts == (isNew ? ["r1": ["p"]] : [:]))
            if isNew { news += 1 }
        }
        // 1,500 expected; five standard deviations are 162.
        #expect(abs(news - 1500) <= 162)
    }

    @Test func anEmptyTemplateGivesNothing() throws {
        let empty = try CompiledTemplate(RemoteConfigTemplate())
        #expect(empty.resolve(for: device(), nowMicroseconds: 0).entries.isEmpty)
    }
}

@Suite("Shares that 100,000 installations get of a template") struct TemplateShareTests {
    private static let installations: [String] = {
        let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_")
        var random = SeededGenerator(seed: 20_261_121)
        return (0..<100_000).map { _ in "c" + String((0..<21).map { _ in letters[Int(random.next() % 64)] }) }
    }()

    /// Conditions, and the share of all that each asks for.
    private static let shares: [(condition: String, share: Double)] = [
        ("percent <= 0.5", 0.005), ("percent('a') <= 33.3", 0.333), ("percent('b') > 90", 0.1),
        ("percent('c') between 20 and 45.5", 0.255),
    ]

    private static let seeds = ["", "a", "b"]

    private static func template() throws -> CompiledTemplate {
        var conditions = shares.enumerated().map {
            RemoteConfigCondition(name: "s\($0.offset)", expression: $0.element.condition)
        }
        var parameters: [String: RemoteConfigParameter] = [:]
        for condition in conditions {
            parameters[condition.name] = RemoteConfigParameter(
                defaultValue: .text("out"), conditionalValues: [condition.name: .text("in")])
        }
        for (index, seed) in seeds.enumerated() {
            let call = seed.isEmpty ? "percent" : "percent('\(seed)')"
            var quarters: [String: RemoteConfigParameterValue] = [:]
            for quarter in 0..<3 {
                let name = "q\(index)-\(quarter)"
                conditions.append(RemoteConfigCondition(name: name, expression: "\(call) <= \(25 * (quarter + 1))"))
                quarters[name] = .text(String(quarter))
            }
            parameters["q\(index)"] = RemoteConfigParameter(defaultValue: .text("3"), conditionalValues: quarters)
        }
        return try CompiledTemplate(RemoteConfigTemplate(conditions: conditions, parameters: parameters))
    }

    /// What each installation gets, in the order of the installations.
    private static func entries(
        of installations: ArraySlice<String>, from template: CompiledTemplate
    ) -> [[String: String]] {
        let parts = Mutex<[Int: [[String: String]]]>([:])
        let size = (installations.count + 3) / 4
        DispatchQueue.concurrentPerform(iterations: 4) { part in
            let found = installations.dropFirst(part * size).prefix(size).map { id in
                template.resolve(for: DeviceFacts(installationID: id, appID: "1:1:ios:a"), nowMicroseconds: 0).values
            }
            parts.withLock { $0[part] = found }
        }
        return parts.withLock { parts in (0..<4).flatMap { parts[$0] ?? [] } }
    }

    @Test(
        "Measured shares are the configured ones within 4.5 standard deviations, seeds draw independently of each other"
    )
    func shares() throws {
        let all = Self.entries(of: Self.installations[...], from: try Self.template())
        #expect(all.count == Self.installations.count)
        let count = Double(all.count)
        var report: [String] = []
        func hold(_ title: String, _ share: Double, found: Int) {
            // Of a binomial draw. A right share falls outside once in 150,000 seeds.
            let deviation = (share * (1 - share) / count).squareRoot()
            let deviations = (Double(found) / count - share) / deviation
            #expect(abs(deviations) <= 4.5, "\(title): \(found)")
            report.append("| `\(title)` | \(share) | \(Double(found) / count) | \(deviations) |")
        }
        for (index, (condition, share)) in Self.shares.enumerated() {
            hold(condition, share, found: all.count { $0["s\(index)"] == "in" })
        }
        let quarters = Self.seeds.indices.map { seed in all.map { Int($0["q\(seed)"] ?? "") ?? 0 } }
        for (index, seed) in Self.seeds.enumerated() {
            for quarter in 0..<4 {
                hold("quarter \(quarter + 1), seed '\(seed)'", 0.25, found: quarters[index].count { $0 == quarter })
            }
        }
        for (one, other) in [(0, 1), (0, 2), (1, 2)] {
            let statistic = Self.chiSquare(quarters[one], quarters[other])
            // With 9 degrees of freedom, independent draws exceed it once in 300,000.
            #expect(statistic < 42, "seeds '\(Self.seeds[one])' and '\(Self.seeds[other])': \(statistic)")
            report.append(
                "| seeds '\(Self.seeds[one])', '\(Self.seeds[other])' | | chi-square \(statistic), 9 degrees | |")
        }
        if ProcessInfo.processInfo.environment["HEARTH_PRINT_SHARES"] != nil {
            print("| Condition | Configured | Measured | Standard deviations |\n| --- | --- | --- | --- |")
            print(report.joined(separator: "\n"))
        }
    }

    /// How far the table of the two quarters is from the one that independent draws would have.
    private static func chiSquare(_ one: [Int], _ other: [Int]) -> Double {
        var table = [[Double]](repeating: [0, 0, 0, 0], count: 4)
        for (row, column) in zip(one, other) { table[row][column] += 1 }
        let rows = table.map { $0.reduce(0, +) }
        let columns = (0..<4).map { column in table.reduce(0) { $0 + $1[column] } }
        var sum = 0.0
        for row in 0..<4 {
            for column in 0..<4 {
                let expected = rows[row] * columns[column] / Double(one.count)
                sum += (table[row][column] - expected) * (table[row][column] - expected) / expected
            }
        }
        return sum
    }

    @Test("The same installation gets the same of a template that was read anew, whoever asked before")
    func stability() throws {
        let some = Self.installations.prefix(5000)
        let once = Self.entries(of: some, from: try Self.template())
        let again = Self.entries(of: Array(some.reversed())[...], from: try Self.template())
        #expect(once == again.reversed())
    }
}

extension CompiledTemplate.Resolution {
    /// By key.
    var values: [String: String] { Dictionary(uniqueKeysWithValues: entries.map { ($0.key, $0.value) }) }
}
