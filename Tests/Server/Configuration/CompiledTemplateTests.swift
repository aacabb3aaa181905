import HearthConfiguration
import HearthTargeting
import HearthWire
import Testing

struct CompiledTemplateTests {
    private func device(_ id: String = "f", country: String? = nil, _ signals: [String: String] = [:]) -> DeviceFacts {
        var device = DeviceFacts(installationID: id, appID: "1:1:ios:a")
        device.country = country
        device.customSignals = signals
        return device
    }

    private func resolve(_ json: String, _ device: DeviceFacts) throws -> CompiledTemplate.Resolution {
        let template = try WireJSON.decode(ConfigTemplate.self, from: json.utf8)
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
        let empty = try CompiledTemplate(ConfigTemplate())
        #expect(empty.resolve(for: device(), nowMicroseconds: 0).entries.isEmpty)
    }
}
