import HearthCalls
import HearthCatalog
import HearthHTTP
import HearthIdentity
import HearthWire
import Testing

@testable import HearthDevicePlane
@testable import HearthManagement
@testable import HearthManagementTestSupport
@testable import HearthRouting
@testable import HearthServing

@Suite("Remote Config: what a device would get, and why") struct EvaluationTests {
    private typealias Bodies = TemplateEvaluationBodies

    private static let template = #"""
        {"conditions":[
            {"name":"swiss","expression":"device.country in ['CH'] && device.language in ['de']"},
            {"name":"vip","expression":"app.customSignal['rank'].exactlyMatches(['vip'])"},
            {"name":"half","expression":"percent <= 50"},
            {"name":"all","expression":"true"},
            {"name":"analytics","expression":"app.audiences.inAtLeastOne(['a'])"}],
         "parameters":{
            "colour":{"defaultValue":{"value":"grey"},"conditionalValues":{"swiss":{"value":"red"},"vip":{"value":"gold"}}},
            "own":{"defaultValue":{"useInAppDefault":true}},
            "size":{"defaultValue":{"value":"1"},"conditionalValues":{
                "all":{"rolloutValue":{"rolloutId":"r1","value":"2","percent":0}}}}},
         "parameterGroups":{"g":{"parameters":{"inside":{"defaultValue":{"value":"yes"},
            "conditionalValues":{"half":{"value":"no"}}}}}}}
        """#

    private let service: TestService

    init() throws { service = try TestService() }

    private func post(_ json: String, namespace: String? = nil, token: String? = nil) throws -> TestResponse {
        let root = namespace.map { "namespaces/\($0)/remoteConfig" } ?? "remoteConfig"
        let path = "projects/\(service.a.project.id)/\(root):evaluate"
        return try service.hearth(.post, path, json, token: token ?? service.accessToken(service.a))
    }

    private func evaluate(_ json: String, namespace: String? = nil) throws -> TemplateEvaluationBodies.Result {
        let answer = try post(json, namespace: namespace)
        try #require(answer.status == 200, "\(answer.text)")
        #expect(!answer.text.contains(TestService.fid), "an id is as good as a password")
        return try WireJSON.decode(Bodies.Result.self, from: answer.body)
    }

    private func parameter(_ key: String, _ result: TemplateEvaluationBodies.Result) throws
        -> TemplateEvaluationBodies.Parameter
    {
        try #require(result.parameters.first { $0.key == key })
    }

    private func condition(_ name: String, _ result: TemplateEvaluationBodies.Result) throws
        -> TemplateEvaluationBodies.Condition
    {
        try #require(result.conditions.first { $0.name == name })
    }

    @Test("Each value with the condition that it is from, each condition with its result")
    func values() throws {
        try service.putTemplate(Self.template)
        let result = try evaluate(#"{"device":{"country":"ch","language":"de_CH","customSignals":{"rank":"x"}}}"#)
        #expect(result.version == 1 && result.namespace == "firebase" && !result.isRegistered && !result.isPinned)
        #expect(result.parameters.map(\.key) == ["colour", "inside", "own", "size"])
        let colour = try parameter("colour", result)
        #expect(colour.value == "red" && colour.source == "condition" && colour.condition == "swiss")
        #expect(colour.undecided == nil && colour.isInAppDefault == nil)
        let own = try parameter("own", result)
        #expect(own.value == nil && own.source == "default" && own.isInAppDefault == true)
        #expect(result.conditions.map(\.name) == ["swiss", "vip", "half", "all", "analytics"])
        #expect(result.conditions.map(\.result) == ["true", "false", "undecided", "true", "false"])
        #expect(try condition("vip", result).because == "term")
        // No device of Hearth has audiences, whatever the request says.
        let analytics = try condition("analytics", result)
        #expect(analytics.because == "unsupported" && analytics.signals == ["app.audiences"])
        #expect(result.device.country == "CH" && result.device.language == "de_CH")
    }

    @Test("What the device does not say leaves its conditions undecided, and the values after them")
    func undecided() throws {
        try service.putTemplate(Self.template)
        let nothing = try evaluate("{}")
        let swiss = try condition("swiss", nothing)
        #expect(swiss.result == "undecided" && swiss.because == "missing")
        #expect(swiss.signals == ["device.country", "device.language"])
        #expect(try condition("vip", nothing).signals == ["app.customSignal['rank']"])
        #expect(try condition("half", nothing).signals == ["app.firebaseInstallationId"])
        let colour = try parameter("colour", nothing)
        #expect(colour.value == "grey" && colour.source == "default" && colour.undecided == ["swiss", "vip"])
        // The share of the rollout is not decided either.
        #expect(try parameter("size", nothing).undecided == ["all"])
        // One false term decides, even if another fact is missing; the column is that of the term.
        let german = try evaluate(#"{"device":{"language":"en"}}"#)
        let decided = try condition("swiss", german)
        #expect(decided.result == "false" && decided.because == "term" && decided.column == 29)
        #expect(try parameter("colour", german).undecided == ["vip"])
    }

    @Test("A value that is no version or no number is named as what keeps the condition from holding")
    func unreadable() throws {
        try service.putTemplate(
            #"""
            {"conditions":[{"name":"new","expression":"version(app.customSignal['fw']) >= '1.0'"},
                {"name":"many","expression":"true && app.userProperty['n'] > 3"},
                {"name":"older","expression":"app.version.<(['1.0'])"}]}
            """#)
        let result = try evaluate(
            #"{"device":{"appVersion":"0.9-beta","customSignals":{"fw":"v1.2.0"},"userProperties":{"n":"1,5"}}}"#)
        let new = try condition("new", result)
        #expect(new.result == "false" && new.because == "notAVersion" && new.column == 1)
        #expect(new.signals == ["app.customSignal['fw']"])
        let many = try condition("many", result)
        #expect(many.because == "notANumber" && many.column == 9 && many.signals == ["app.userProperty['n']"])
        #expect(try condition("older", result).because == "notAVersion")
    }

    @Test("A condition that holds, and whose rollout leaves the device out, is named")
    func skipped() throws {
        try service.putTemplate(Self.template)
        let size = try parameter("size", evaluate(#"{"device":{"installationId":"\#(TestService.fid)"}}"#))
        #expect(size.value == "1" && size.source == "default" && size.undecided == nil)
        #expect(size.skipped == [Bodies.Parameter.Skipped(condition: "all", because: "rollout", id: "r1")])
        try service.putTemplate(Self.template.replacing(#""percent":0"#, with: #""percent":100"#))
        let given = try parameter("size", evaluate(#"{"device":{"installationId":"\#(TestService.fid)"}}"#))
        #expect(given.value == "2" && given.source == "condition" && given.condition == "all" && given.rollout == "r1")
    }

    /// Real fetches of many devices, and evaluations with the same facts.
    @Test("The values are those that the device's own fetch gets")
    func sameAsFetch() throws {
        try service.putTemplate(Self.template)
        try service.makeExperiment(TestService.twoVariantExperiment("sizes").replacing("colour", with: "size"))
        for (country, language, rank) in [
            ("CH", "de", "vip"), ("CH", "fr", "vip"), ("DE", "de", "none"), ("CH", "de-AT", "none"),
            ("AT", "en", "vip"),
        ] {
            let body =
                ", country_code:'\(country)', language_code:'\(language)', app_version:'2.1', custom_signals:{\"rank\":\"\(rank)\"}"
            let fetched = try #require(try service.fetchAsIOS(body)["entries"] as? [String: String])
            let app = service.a.apiKeyRecord.appID
            let result = try evaluate(
                #"""
                {"device":{"installationId":"\#(TestService.fid)","appId":"\#(app)","country":"\#(country)",
                    "language":"\#(language)","appVersion":"2.1","customSignals":{"rank":"\#(rank)"}}}
                """#)
            let evaluated = Dictionary(
                uniqueKeysWithValues: result.parameters.compactMap { found in found.value.map { (found.key, $0) } })
            #expect(evaluated == fetched, "\(country) \(language) \(rank)")
            #expect(result.device.os == "ios", "the app's id names the system")
        }
    }

    @Test("A running experiment comes before the template; without an id its share is not decided")
    func experiments() throws {
        try service.putTemplate(Self.template)
        try service.makeExperiment(TestService.twoVariantExperiment())
        let result = try evaluate(#"{"device":{"installationId":"\#(TestService.fid)"}}"#)
        let experiment = try #require(result.experiments.first)
        #expect(experiment.experiment == "colours" && experiment.isIncluded && experiment.parameters == ["colour"])
        let colour = try parameter("colour", result)
        #expect(colour.source == "experiment" && colour.experiment == "colours")
        #expect(colour.variant == experiment.variant && colour.variant != nil)
        #expect(colour.value == (colour.variant == "old" ? "red" : "blue"))
        let unknown = try evaluate("{}")
        #expect(unknown.experiments.first?.because == "installation" && unknown.experiments.first?.variant == nil)
        #expect(try parameter("colour", unknown).source == "default")
    }

    @Test("A template that is not published is evaluated and stored nowhere; an old version too")
    func otherTemplates() throws {
        try service.putTemplate(Self.template)
        let other = #"{"parameters":{"colour":{"defaultValue":{"value":"pink"}}}}"#
        let result = try evaluate(#"{"template":\#(other)}"#)
        #expect(result.version == nil && result.parameters.map(\.value) == ["pink"])
        #expect(try evaluate("{}").parameters.count == 4)
        try service.putTemplate(other)
        #expect(try evaluate("{}").version == 2 && evaluate("{}").parameters.map(\.value) == ["pink"])
        #expect(try evaluate(#"{"version":1}"#).parameters.count == 4)
        try post(#"{"version":9}"#).expectRefusal(404, "NOT_FOUND", "There is no version 9 of the template.")
        try post(#"{"version":1,"template":{}}"#).expectRefusal(400, "INVALID_ARGUMENT")
    }

    @Test("Before the first version there is nothing to get")
    func noTemplate() throws {
        let result = try evaluate("")
        #expect(result.version == 0 && result.parameters == [] && result.conditions == [])
    }

    @Test("A template for servers is evaluated without experiments")
    func servers() throws {
        try service.makeExperiment(TestService.twoVariantExperiment())
        let json =
            #"{"conditions":[{"name":"c","expression":"app.customSignal['level'] >= 7"}],"parameters":{"colour":{"defaultValue":{"value":"a"},"conditionalValues":{"c":{"value":"b"}}}}}"#
        try service.putTemplate(json, namespace: "firebase-server")
        let device = #"{"device":{"installationId":"x","customSignals":{"level":"7.5"}}}"#
        let result = try evaluate(device, namespace: "firebase-server")
        #expect(result.namespace == "firebase-server" && result.experiments == [])
        #expect(result.parameters.map(\.value) == ["b"])
        try post("{}", namespace: "other").expectRefusal(404, "NOT_FOUND")
    }

    @Test("A time of the request replaces the present one")
    func time() throws {
        let json =
            #"{"conditions":[{"name":"later","expression":"dateTime >= dateTime('2030-01-01T00:00:00')"}],"parameters":{"p":{"conditionalValues":{"later":{"value":"x"}}}}}"#
        try service.putTemplate(json)
        #expect(try evaluate("{}").conditions.map(\.result) == ["false"])
        let later = try evaluate(#"{"time":"2030-01-01T00:00:00Z"}"#)
        #expect(later.conditions.map(\.result) == ["true"] && later.time == "2030-01-01T00:00:00.000000Z")
        try post(#"{"time":"tomorrow"}"#).expectRefusal(400, "INVALID_ARGUMENT")
    }

    @Test("An invalid template is refused as if it were put, with the place below 'template'")
    func invalidTemplate() throws {
        func violation(_ template: String) throws -> (field: String?, column: Int?, message: String?) {
            let answer = try post(#"{"device":{},"template":\#(template)}"#)
            answer.expectRefusal(400, "INVALID_ARGUMENT")
            let detail = (answer["error.details"] as? [[String: Any]])?.first
            let violation = (detail?["fieldViolations"] as? [[String: Any]])?.first
            return (violation?["field"] as? String, violation?["column"] as? Int, answer.string("error.message"))
        }
        let condition = try violation(#"{"conditions":[{"name":"c","expression":"device.country == 'CH'"}]}"#)
        #expect(condition.field == "template.conditions[0].expression" && condition.column == 16)
        let put = try service.config(
            .put, "remoteConfig", #"{"conditions":[{"name":"c","expression":"device.country == 'CH'"}]}"#, ifMatch: "*")
        #expect(condition.message == put.string("error.message"))
        // What would be lost without a word.
        #expect(
            try violation(#"{"parameters":{"a":{"defaultValue":{"value":"1"},"type":"NUMBER"}}}"#).field
                == "template.parameters.a.type")
        #expect(try violation(#"{"parameters":{"a":{},"a":{}}}"#).field == "template.parameters.a")
    }

    @Test(
        "A value that no device can send is refused, and so is an unknown fact",
        arguments: [
            (#"{"device":{"country":"Switzerland"}}"#, "device.country"),
            (#"{"device":{"appVersion":"\#(String(repeating: "1", count: 101))"}}"#, "device.appVersion"),
            (#"{"device":{"tags":["not a tag"]}}"#, "device.tags"), (#"{"device":{"os":"a b"}}"#, "device.os"),
            (#"{"device":{"firstOpenTime":"yesterday"}}"#, "device.firstOpenTime"),
            (#"{"device":{"customSignals":{"":"x"}}}"#, "device.customSignals"),
            (#"{"device":{"installationId":""}}"#, "device.installationId"),
            (#"{"device":{"platform":"ios"}}"#, "device.platform"), (#"{"device":5}"#, "device"),
        ])
    func badFacts(json: String, field: String) throws {
        let answer = try post(json)
        answer.expectRefusal(400, "INVALID_ARGUMENT")
        let detail = (answer["error.details"] as? [[String: Any]])?.first
        #expect((detail?["fieldViolations"] as? [[String: Any]])?.first?["field"] as? String == field, "\(answer.text)")
    }

    @Test("Too many steps: the conditions after that are not decided, as the device gets only a part")
    func steps() throws {
        let signal = String(repeating: "a", count: 500)
        let expression = "app.customSignal['s'].matches(['(a{200}){4}b'])"
        let conditions = (0..<400).map {
            #"{"name":"c\#($0)","expression":"\#(expression) && percent('s\#($0)') <= 100"}"#
        }
        let values = (0..<400).map { #""c\#($0)":{"value":"x"}"# }.joined(separator: ",")
        try service.putTemplate(
            #"{"conditions":[\#(conditions.joined(separator: ","))],"parameters":{"p":{"conditionalValues":{\#(values)}}}}"#
        )
        let result = try evaluate(#"{"device":{"installationId":"x","customSignals":{"s":"\#(signal)"}}}"#)
        #expect(result.conditions.first?.because == "term")
        let last = try #require(result.conditions.last)
        #expect(last.result == "undecided" && last.because == "steps")
    }
}
