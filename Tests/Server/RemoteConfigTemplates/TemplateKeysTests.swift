import HearthRemoteConfigTemplates
import Testing

struct TemplateKeysTests {
    private func error(_ json: String) -> TemplateError? {
        do throws(TemplateError) {
            try TemplateFieldCheck.check(Array(json.utf8))
            return nil
        } catch {
            return error
        }
    }

    @Test func everyKeyOfATemplateIsKnown() {
        let json = #"""
            {"conditions": [{"name": "c", "expression": "true", "tagColor": "BLUE"}, {"name": "d", "expression": "true"}],
             "parameters": {"any": {"default_value": {"useInAppDefault": true}, "valueType": "STRING", "description": "{\"x",
                "conditionalValues": {
                    "c": {"rolloutValue": {"rolloutId": "r", "value": "1", "percent": 5,
                        "microPercentRange": {"microPercentStart": 1, "microPercentEnd": 2}}},
                    "any": {"personalizationValue": {"personalizationId": "p"}},
                    "d": {"experimentValue": {"experimentId": "e", "exposurePercent": 5, "variantValue": [
                        {"variantId": "0", "noChange": true}, {"variantId": "1", "value": "]}"}]}}}},
                "Any": {}, "other": {"defaultValue": {"value": "x"}}},
             "parameterGroups": {"any": {"description": "d", "parameters": {"a_b": {}, "aB": {}}}, "none": {}},
             "version": {"versionNumber": "7", "updateUser": {"email": "a", "photo": []}, "description": ""}, "etag": "e" }
            """#
        #expect(error(json) == nil)
    }

    @Test(arguments: [
        (#"{"parameter": {}}"#, "UNKNOWN_FIELD", "parameter"),
        (#"{"parameters": {"a": {"_description": "x"}}}"#, "UNKNOWN_FIELD", "parameters.a._description"),
        (#"{"conditions_": []}"#, "UNKNOWN_FIELD", "conditions_"),
        (#"{"conditions": [{"name": "c"}, {"expr": "true"}]}"#, "UNKNOWN_FIELD", "conditions[1].expr"),
        (#"{"parameters": {"a": {"default": {"value": "1"}}}}"#, "UNKNOWN_FIELD", "parameters.a.default"),
        (
            #"{"parameters": {"a": {"defaultValue": {"value": "1", "x": 2}}}}"#, "UNKNOWN_FIELD",
            "parameters.a.defaultValue.x"
        ),
        (
            #"{"parameterGroups": {"g": {"parameters": {"a": {"conditionalValues": {"c": {"rolloutValue": {"share": 1}}}}}}}}"#,
            "UNKNOWN_FIELD", "parameterGroups.g.parameters.a.conditionalValues.c.rolloutValue.share"
        ),
        (
            #"{"parameters": {"a": {}, "b": {"defaultValue": {"value": "1"}}, "a": {}}}"#, "DUPLICATE_KEY",
            "parameters.a"
        ),
        (#"{"parameters": {"a": {}, "\u0061": {}}}"#, "DUPLICATE_KEY", "parameters.a"),
        (#"{"parameters": {}, "conditions": [], "parameters": {}}"#, "DUPLICATE_KEY", "parameters"),
        (#"{"parameterGroups": {"g": {}, "g": {}}}"#, "DUPLICATE_KEY", "parameterGroups.g"),
        (
            #"{"parameters": {"a": {"defaultValue": {"value": "1"}, "default_value": {"value": "2"}}}}"#,
            "DUPLICATE_KEY",
            "parameters.a.default_value"
        ),
    ])
    func whatWouldBeLostIsNamed(json: String, code: String, path: String) {
        let error = error(json)
        #expect(error?.code.rawValue == code)
        #expect(error?.path == path)
    }

    @Test func bytesAreReadAsUTF8Alone() {
        let wrong = #"{"parameter": {}}"#
        func error(_ bytes: [UInt8]) -> TemplateError? {
            do throws(TemplateError) {
                try TemplateFieldCheck.check(bytes)
                return nil
            } catch {
                return error
            }
        }
        #expect(error([0xEF, 0xBB, 0xBF] + wrong.utf8)?.code == .unknownField)
        #expect(error(wrong.utf16.flatMap { [UInt8($0), 0] })?.code == .malformed)
        #expect(error(wrong.utf16.flatMap { [0, UInt8($0)] })?.code == .malformed)
        #expect(
            error([])?.description
                == "[VALIDATION_ERROR]: MALFORMED_TEMPLATE: A template must be a JSON object in UTF-8.")
    }

    @Test func bytesThatAreNoTemplateAreRead() {
        let depth = 200_000
        let deep = #"{"version": "# + String(repeating: "[", count: depth) + String(repeating: "]", count: depth) + "}"
        #expect(error(deep) == nil)
        for text in [
            "", "{", #"{""#, #"{"parameters"#, #"{"parameters":"#, #"{"parameters":{"a\"#, "[", "[[[", "}", "]", "\\",
            "7",
        ] {
            _ = error(text)
        }
    }
}
