import Foundation
import HearthRemoteConfigTemplates
import HearthWire
import Testing

struct TemplateFormTests {
    private func template(_ json: String) throws -> RemoteConfigTemplate {
        try WireJSON.decode(RemoteConfigTemplate.self, from: json.utf8)
    }

    private func error(
        _ json: String, _ namespace: TemplateNamespace = .client
    ) throws -> TemplateError? {
        error(of: try template(json), namespace)
    }

    private func error(
        of template: RemoteConfigTemplate, _ namespace: TemplateNamespace = .client, stored: RemoteConfigTemplate? = nil
    ) -> TemplateError? {
        do throws(TemplateError) {
            try TemplateValidator.check(template, namespace: namespace, stored: stored)
            return nil
        } catch {
            return error
        }
    }

    @Test func aTemplateWithEverythingIsAccepted() throws {
        let json = """
            {"conditions": [{"name": "beta it's 100%!", "expression": "percent <= 10", "tagColor": "BLUE"}],
             "parameters": {
                "_on": {"defaultValue": {"value": "TRUE"}, "valueType": "BOOLEAN"},
                "count": {"defaultValue": {"value": "-.5"}, "valueType": "NUMBER"},
                "shape": {"defaultValue": {"value": "{\\"a\\": [1]}"}, "valueType": "JSON",
                    "conditionalValues": {"beta it's 100%!": {"rolloutValue": {"rolloutId": "r", "value": "1", "percent": 5}}}}},
             "parameterGroups": {"look": {"description": "colours", "parameters": {
                "colour": {"defaultValue": {"useInAppDefault": true}, "description": "of the door"}}}}}
            """
        #expect(try error(json) == nil)
    }

    static let refused: [(String, String, String)] = [
        (#"{"parameters": {"1a": {}}}"#, "INVALID_KEY", "parameters.1a"),
        (#"{"parameters": {"a-b": {}}}"#, "INVALID_KEY", "parameters.a-b"),
        (
            #"{"parameters": {"a": {}}, "parameterGroups": {"g": {"parameters": {"a": {}}}}}"#, "DUPLICATE_KEY",
            "parameterGroups.g.parameters.a"
        ),
        (
            #"{"parameters": {"a": {"conditionalValues": {"nobody": {"value": "1"}}}}}"#, "UNKNOWN_CONDITION_REFERENCE",
            "parameters.a.conditionalValues.nobody"
        ),
        (
            #"{"parameters": {"a": {"defaultValue": {"value": "yes"}, "valueType": "BOOLEAN"}}}"#,
            "PARAM_VALUE_TYPE_MISMATCH", "parameters.a.defaultValue"
        ),
        (
            #"{"parameters": {"a": {"defaultValue": {"value": "1."}, "valueType": "NUMBER"}}}"#,
            "PARAM_VALUE_TYPE_MISMATCH", "parameters.a.defaultValue"
        ),
        (
            #"{"parameters": {"a": {"defaultValue": {"value": "{a: 1}"}, "valueType": "JSON"}}}"#,
            "PARAM_VALUE_TYPE_MISMATCH", "parameters.a.defaultValue"
        ),
        (#"{"parameters": {"a": {"valueType": "DATE"}}}"#, "PARAM_VALUE_TYPE_MISMATCH", "parameters.a.valueType"),
        (
            #"{"parameters": {"a": {"defaultValue": {"rolloutValue": {"rolloutId": "r", "value": "1"}}}}}"#,
            "INVALID_DEFAULT_PARAM_VALUE", "parameters.a.defaultValue"
        ),
        (
            #"{"conditions": [{"name": "c", "expression": "percent <= 1 || true"}]}"#, "INVALID_CONDITION",
            "conditions[0].expression"
        ),
        (
            #"{"conditions": [{"name": "c", "expression": "true"}, {"name": "c", "expression": "true"}]}"#,
            "INVALID_CONDITION", "conditions[1]"
        ),
        (#"{"conditions": [{"name": "c;", "expression": "true"}]}"#, "INVALID_CONDITION", "conditions[0]"),
        (
            #"{"conditions": [{"name": "c", "expression": "true", "tagColor": "MAUVE"}]}"#, "INVALID_CONDITION",
            "conditions[0].tagColor"
        ),
    ]

    @Test(arguments: refused) func whatIsWrongIsNamed(_ json: String, _ code: String, _ path: String) throws {
        let error = try #require(try error(json))
        #expect(error.code.rawValue == code)
        #expect(error.path == path)
    }

    /// What Foundation on Linux takes and no other reader of JSON, beside what it takes rightly.
    @Test(arguments: [
        ("[1,2]", nil), ("{}", nil), ("\"text\"", nil), ("-1.5e3", nil), ("null", nil), (" [ ] ", nil),
        (#""\ud83d\ude00""#, nil),
        ("[1,2,]", "line 1, column 6: a comma stands before ]"),
        (#"{"a":1,}"#, "line 1, column 8: a comma stands before }"),
        ("[[1,2],\n]", "line 2, column 1"), (#"{"a":[1,],"b":2}"#, "line 1, column 9"),
        ("\u{FEFF}[1]", "byte order mark"), ("\0" + "1", "line 1, column 1"), ("", "the text ends too early"),
        ("[NaN]", "line 1, column 2"), ("'a'", "line 1, column 1"), ("// a\n1", "line 1, column 1"),
        ("01", "line 1"), ("1.", "line 1"), ("[1]x", "something follows"), ("\"a\tb\"", "a control character"),
        ("1e999", "a number is too large"), (#""\ud800""#, "half of a character"),
        (String(repeating: "[", count: 600) + String(repeating: "]", count: 600), "nested more than 512 deep"),
    ])
    func jsonIsWhatEveryReaderTakes(text: String, problem: String?) throws {
        let template = RemoteConfigTemplate(
            parameters: ["a": RemoteConfigParameter(defaultValue: .text(text), valueType: "JSON")])
        let error = error(of: template)
        #expect((error == nil) == (problem == nil), "\(error?.message ?? "taken")")
        if let problem {
            #expect(error?.path == "parameters.a.defaultValue" && error?.code == .valueTypeMismatch)
            #expect(error?.message.contains(problem) == true, "\(error?.message ?? "")")
        }
    }

    private static func template(_ a: String, b: String = "1") -> RemoteConfigTemplate {
        RemoteConfigTemplate(
            parameters: [
                "a": RemoteConfigParameter(defaultValue: .text(a), valueType: "JSON"),
                "b": RemoteConfigParameter(defaultValue: .text(b)),
            ])
    }

    @Test func aStoredValueOfAFormerRuleStaysUntilItsParameterChanges() {
        let stored = Self.template("[1,]")
        #expect(error(of: Self.template("[1,]", b: "2"), stored: stored) == nil)
        #expect(error(of: Self.template("[1,2,]"), stored: stored)?.path == "parameters.a.defaultValue")
        var described = stored
        described.parameters?["a"]?.description = "a list"
        #expect(error(of: described, stored: stored)?.path == "parameters.a.defaultValue")
        // In another group it is the same parameter.
        let grouped = RemoteConfigTemplate(
            parameterGroups: ["g": RemoteConfigParameterGroup(parameters: stored.parameters)])
        #expect(error(of: grouped, stored: stored) == nil)
        #expect(error(of: grouped)?.path == "parameterGroups.g.parameters.a.defaultValue")
        // What was never taken is refused everywhere.
        #expect(error(of: Self.template("{a: 1}"), stored: Self.template("{a: 1}")) != nil)
    }

    @Test func wordsOfNewConditionsThatNoDeviceSendsArePointedOut() {
        func template(_ expressions: String...) -> RemoteConfigTemplate {
            RemoteConfigTemplate(
                conditions: expressions.enumerated().map { RemoteConfigCondition(name: "c\($0)", expression: $1) })
        }
        let (british, swiss) = ("device.country in ['UK']", "device.country in ['CH']")
        #expect(
            template(swiss, british).warnings(since: template(swiss)) == [
                "condition 'c1': no country has the code 'UK'; devices there send GB"
            ])
        #expect(template(swiss, british).warnings(since: template(british, british)).isEmpty)
    }

    @Test func theErrorOfAConditionHasItsColumn() throws {
        let error = try #require(try error(#"{"conditions": [{"name": "c", "expression": "true && nothing"}]}"#))
        #expect(
            error.description
                == "[VALIDATION_ERROR]: INVALID_CONDITION: conditions[0].expression: Column 9: There is no signal 'nothing'; there are app..., device..., hearth.tags, version(...), percent, dateTime, true, false."
        )
    }

    @Test(arguments: [
        (#""percent": 100"#, true), (#""percent": 100.1"#, false), (#""percent": -1"#, false),
        (#""microPercentRange": {"microPercentEnd": 100000000}"#, true),
        (#""microPercentRange": {"microPercentStart": 5, "microPercentEnd": 4}"#, false),
        (#""microPercentRange": {"microPercentEnd": 100000001}"#, false),
        (#""microPercentRange": {"microPercentStart": -1, "microPercentEnd": 4}"#, false),
        (#""microPercentRange": {}"#, true), (#""microPercentRange": {"microPercentStart": 1}"#, false),
    ])
    func aRolloutIsForAPartOfTheWhole(_ range: String, isGood: Bool) throws {
        let error = try error(
            #"{"conditions": [{"name": "c", "expression": "true"}], "parameters": {"a": {"conditionalValues": {"c": {"rolloutValue": {"rolloutId": "r", "value": "1", \#(range)}}}}}}"#
        )
        #expect(error?.code == (isGood ? nil : .unsupportedValue))
    }

    @Test func serversGetOnlyWhatTheyCanEvaluate() throws {
        #expect(
            try error(
                #"{"conditions": [{"name": "c", "expression": "percent('s') <= 1 && app.customSignal['k'] > 3"}]}"#,
                .server) == nil)
        #expect(
            try error(#"{"conditions": [{"name": "c", "expression": "device.country in ['CH']"}]}"#, .server)?.code
                == .invalidCondition)
        let rollout =
            #"{"conditions": [{"name": "c", "expression": "true"}], "parameters": {"a": {"conditionalValues": {"c": {"rolloutValue": {"rolloutId": "r", "value": "1"}}}}}}"#
        #expect(try error(rollout, .server)?.code == .unsupportedValue)
    }

    @Test func limitsAreKept() throws {
        var template = RemoteConfigTemplate(parameters: [:])
        for number in 0..<TemplateLimits.parameters { template.parameters?["p\(number)"] = RemoteConfigParameter() }
        try TemplateValidator.check(template, namespace: .client)
        template.parameters?["one_more"] = RemoteConfigParameter()
        #expect(throws: TemplateError.self) { try TemplateValidator.check(template, namespace: .client) }
        let half = String(repeating: "x", count: TemplateLimits.valueLength / 2)
        var large = RemoteConfigTemplate(parameters: [
            "a": RemoteConfigParameter(defaultValue: .text(half)),
            "b": RemoteConfigParameter(defaultValue: .text(half)),
        ])
        try TemplateValidator.check(large, namespace: .client)
        large.parameters?["c"] = RemoteConfigParameter(defaultValue: .text("y"))
        #expect(throws: TemplateError.self) { try TemplateValidator.check(large, namespace: .client) }
    }

    @Test(arguments: [
        #"{"parameters": {"a": {"defaultValue": {}}}}"#,
        #"{"parameters": {"a": {"defaultValue": {"value": "1", "useInAppDefault": true}}}}"#,
        #"{"parameters": {"a": {"defaultValue": {"useInAppDefault": false}}}}"#,
        #"{"parameters": {"a": {"defaultValue": {"value": 1}}}}"#,
    ])
    func aValueIsExactlyOneThing(_ json: String) {
        #expect(throws: DecodingError.self) { try template(json) }
    }

    @Test func aTemplateIsGivenBackAsItCame() throws {
        let json =
            #"{"conditions":[{"expression":"true","name":"c"}],"parameters":{"a":{"conditionalValues":{"c":{"experimentValue":{"experimentId":"e","exposurePercent":50,"variantValue":[{"noChange":true,"variantId":"0"},{"value":"x","variantId":"1"}]}}},"defaultValue":{"value":"v"},"description":"d","valueType":"STRING"},"b":{"conditionalValues":{"c":{"personalizationValue":{"personalizationId":"p"}}},"defaultValue":{"useInAppDefault":true}}}}"#
        #expect(String(decoding: try WireJSON.encode(try template(json)), as: UTF8.self) == json)
    }
}
