import HearthCalls
import HearthWire
import Testing

@testable import HearthFirebaseImport

@Suite struct ConversionTests {
    private func json(_ text: String) throws -> JSONValue { try JSONValue(json: Array(text.utf8)) }

    @Test("A template keeps its values, and what holds for nobody here is named")
    func template() throws {
        let conversion = try TemplateConversion(
            json(
                #"""
                {"conditions":[
                   {"name":"ios","expression":"device.os == 'ios'","tagColor":"BLUE"},
                   {"name":"fans","expression":"app.audiences.inAtLeastOne(['fans'])","tagColor":"GOLD"},
                   {"name":"new","expression":"app.weather == 'fine'"}],
                 "parameters":{"a":{"defaultValue":{"value":"1"},"valueType":"NUMBER","extra":{"x":1},
                   "conditionalValues":{"ios":{"value":"2"},"fans":{"personalizationValue":{"personalizationId":"p"}}}}},
                 "version":{"versionNumber":"7","isLegacy":true,"newMember":1},"etag":"e"}
                """#))
        #expect(
            conversion.template.conditions?.map(\.expression) == [
                "device.os == 'ios'", "app.audiences.inAtLeastOne(['fans'])", "false",
            ])
        #expect(conversion.template.conditions?.map(\.tagColor) == ["BLUE", nil, nil])
        #expect(conversion.template.parameters?["a"]?.conditionalValues?["ios"] == .text("2"))
        #expect(conversion.template.version?.versionNumber == "7")
        #expect(conversion.conditions.count == 2)
        #expect(conversion.conditions[0].contains("app.audiences"))
        #expect(conversion.conditions[1].contains("It was: app.weather == 'fine'"))
        #expect(
            conversion.values == [
                "parameter a, condition 'fans': a personalization, which only Google can choose; nobody gets it."
            ])
        #expect(
            conversion.unknownMembers == [
                "conditions[1].tagColor", "parameters.a.extra", "version.newMember",
            ])
    }

    @Test("A condition at a time that a change of clocks skips stays as it is")
    func skippedTimes() throws {
        let text = "dateTime >= dateTime('2026-03-29T00:00:00', 'Asia/Beirut')"
        let conversion = try TemplateConversion(json(#"{"conditions":[{"name":"c","expression":"\#(text)"}]}"#))
        #expect(conversion.template.conditions?.map(\.expression) == [text] && conversion.conditions.isEmpty)
    }

    @Test("Values that are not of their type come as texts, and are named with what is wrong")
    func valuesOfAnotherType() throws {
        let conversion = try TemplateConversion(
            json(
                #"""
                {"conditions":[{"name":"c","expression":"true"}],
                 "parameters":{"list":{"defaultValue":{"value":"[1,]"},"valueType":"JSON"},
                   "fine":{"defaultValue":{"value":"[1]"},"valueType":"JSON"}},
                 "parameterGroups":{"g":{"parameters":{"size":{"defaultValue":{"value":"1"},"valueType":"NUMBER",
                   "conditionalValues":{"c":{"rolloutValue":{"rolloutId":"r","value":"many","percent":5}}}}}}},
                 "version":{"versionNumber":"7"}}
                """#))
        let template = conversion.template
        #expect(template.parameters?["list"] == RemoteConfigParameter(defaultValue: .text("[1,]"), valueType: "STRING"))
        #expect(template.parameters?["fine"]?.valueType == "JSON")
        #expect(template.parameterGroups?["g"]?.parameters?["size"]?.valueType == "STRING")
        #expect(conversion.todo.count == 2)
        #expect(
            conversion.todo[0].hasPrefix(
                "parameter list, default: The value is not JSON (line 1, column 4: a comma stands before ]): [1,]."))
        #expect(conversion.todo[0].contains("Devices get it as it is") && conversion.todo[0].contains("a JSON again"))
        #expect(conversion.todo[1].hasPrefix("parameter size, condition 'c': The value is not a NUMBER: many."))
        #expect(conversion.unknownMembers.isEmpty)
    }

    @Test("What is no template is an error, not a crash")
    func malformedTemplate() throws {
        for text in [#"{"parameters":[]}"#, #"{"conditions":[{"name":"a"}]}"#, "[]", "3"] {
            #expect(throws: FirebaseError.self, "\(text)") { try TemplateConversion(json(text)) }
        }
    }

    @Test("Kinds of values and types of a later time are left out and named; the rest of the template stays")
    func unknownKinds() throws {
        let conversion = try TemplateConversion(
            json(
                #"""
                {"conditions":[{"name":"c","expression":"true"}],
                 "parameters":{"a":{"valueType":"VECTOR","defaultValue":{"value":"1"},
                   "conditionalValues":{"c":{"mysteryValue":{"x":1}}}},
                   "b":{"defaultValue":{"personalizationValue":{"personalizationId":"p"}}},
                   "r":{"conditionalValues":{"c":{"rolloutValue":{"rolloutId":"r","value":"v","percent":400}}}}},
                 "parameterGroups":{"g":{"parameters":{"d":{"defaultValue":{"other":1}}}}},
                 "version":{"versionNumber":7}}
                """#))
        let parameters = try #require(conversion.template.parameters)
        #expect(parameters["a"]?.defaultValue == .text("1"))
        #expect(parameters["a"]?.conditionalValues == [:])
        #expect(parameters["a"]?.valueType == nil)
        #expect(parameters["b"]?.defaultValue == nil)
        #expect(conversion.template.version?.versionNumber == "7")
        #expect(conversion.values.count == 4)
        for name in ["mysteryValue", "personalizationValue", "rolloutValue", "other"] {
            #expect(conversion.values.contains { $0.contains(name) }, "\(name)")
        }
        #expect(conversion.unknownMembers.contains("parameters.a.valueType"))
    }

    @Test("A template for servers keeps only conditions that servers can have")
    func serverConditions() throws {
        let text =
            #"{"conditions":[{"name":"c","expression":"device.os == 'ios'"},{"name":"d","expression":"percent <= 5"}]}"#
        let conversion = try TemplateConversion(json(text), isForServers: true)
        #expect(conversion.template.conditions?.map(\.expression) == ["false", "percent <= 5"])
        #expect(conversion.conditions.first?.contains("It was: device.os == 'ios'") == true)
    }

    private static let experiment = #"""
        {"name":"projects/1/namespaces/firebase/experiments/42","state":"RUNNING","definition":{
          "displayName":"Which colour?","service":"EXPERIMENT_SERVICE_REMOTE_CONFIG",
          "objectives":{"eventObjectives":[{"systemObjectiveDetails":{"objective":"total_revenue"}},
            {"isPrimary":true,"customObjectiveDetails":{"event":"bought","countType":"NO_COUNT"}}]},
          "variants":[{"name":"Baseline","weight":1},{"name":"Rot & Blau","weight":3}]}}
        """#
    private static let template = #"""
        {"conditions":[{"name":"c","expression":"device.os == 'ios'"}],"parameters":{"colour":{"conditionalValues":{"c":
          {"experimentValue":{"experimentId":"42","exposurePercent":50,
            "variantValue":[{"variantId":"0","noChange":true},{"variantId":"1","value":"red"}]}}}}}}
        """#

    private func conversion(_ experiment: String = experiment, _ template: String = template) throws
        -> ExperimentConversion
    {
        try ExperimentConversion(
            json(experiment), template: WireJSON.decode(RemoteConfigTemplate.self, from: template.utf8))
    }

    @Test("An experiment becomes a draft with its variants, weights, values, audience and goal")
    func experiment() throws {
        let definition = try #require(conversion().definition)
        #expect(definition.name == "Which-colour-42")
        #expect(definition.variants.map(\.name) == ["Baseline", "Rot-Blau"])
        #expect(definition.variants.map(\.weight) == [1, 3])
        #expect(definition.variants.map(\.parameters) == [nil, ["colour": "red"]])
        #expect(definition.goal == ExperimentBodies.Metric(event: "bought", kind: "conversion"))
        #expect(definition.share == 0.5)
        #expect(definition.audience == "device.os == 'ios'")
    }

    @Test("What cannot be a draft says why")
    func withoutDraft() throws {
        let system = Self.experiment.replacing(#""event":"bought""#, with: #""event":"not an event""#)
        for (experiment, template, words) in [
            (Self.experiment.replacing("RUNNING", with: "STOPPED"), Self.template, "ended"),
            (system, Self.template, "Google's analytics"),
            (Self.experiment, "{}", "no values"),
            (#"{"name":"x/1","state":"RUNNING"}"#, Self.template, "two variants"),
            ("{}", "{}", "state unknown"),
        ] {
            let result = try conversion(experiment, template)
            #expect(result.definition == nil)
            #expect(result.notes.contains { $0.contains(words) }, "\(result.notes)")
        }
    }

    @Test("A trace shows what is needed to repeat a call, and no secret")
    func trace() throws {
        let answer = FirebaseTrace.masked(
            try json(
                #"{"access_token":"t","authToken":{"token":"t","expiresIn":"1s"},"updateUser":{"email":"a@b","name":"Ann Person"},"parameters":{"a":{"defaultValue":{"value":"secret"}}},"downloadUri":"https://s.example/o?X-Sig=1"}"#
            ))
        let text = String(decoding: answer.pretty, as: UTF8.self)
        #expect(!text.contains("\"t\""))
        #expect(!text.contains("a@b"))
        #expect(!text.contains("Ann"))
        #expect(!text.contains("secret"))
        #expect(!text.contains("X-Sig=1"))
        #expect(text.contains("expiresIn"))
        #expect(
            FirebaseTrace.masked(url: "https://g.example/m?key=AIza&pageSize=3&X-Goog-Signature=ab")
                == "https://g.example/m?key=…&pageSize=3&X-Goog-Signature=…")
    }
}
