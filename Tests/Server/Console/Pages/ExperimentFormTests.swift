import HearthCalls
import HearthCatalog
import HearthHTTP
import HearthWire
import Testing

@testable import HearthConsole
@testable import HearthManagementTestSupport

@Suite("The form of an experiment") struct ExperimentFormTests {
    private static let root = "projects/project-a/experiments"
    private let fixture: ConsoleFixture
    private let browser: Browser

    init() throws {
        fixture = try ConsoleFixture()
        browser = try fixture.browser(.publisher)
    }

    private var service: TestService { fixture.service }

    private static func fields(_ more: [(String, String)], parameter: String = "colour") -> [(String, String)] {
        let own = Set(more.map(\.0))
        return [
            ("name", "colours"), ("parameter", parameter), ("goal-event", "buy"), ("variant-0", "control"),
            ("weight-0", "1"), ("value-0", "red"), ("variant-1", "blue"), ("weight-1", "1"), ("value-1", "blue"),
        ].filter { !own.contains($0.0) } + more
    }

    private func definition(_ name: String = "colours") throws -> ExperimentBodies.Definition {
        let answer = try service.hearthAdmin(.get, "experiments/\(name)")
        return try WireJSON.decode(ExperimentBodies.Experiment.self, from: answer.body).definition
    }

    private func activeVersion() throws -> RemoteConfigTemplate {
        let answer = try service.config(.get, "namespaces/firebase/remoteConfig")
        return try WireJSON.decode(RemoteConfigTemplate.self, from: answer.body)
    }

    @Test("It offers the parameters and conditions of the template, and the models")
    func offers() throws {
        try service.putTemplate(ConfigDriver.template)
        _ = try service.makeModel("digits", FakeProbe.ok("one"))
        let page = try browser.get("\(Self.root)/new")
        page.expectPage("Create an experiment")
        #expect(page.text.contains("<input id=\"parameter\"") && page.text.contains("list=\"parameters\""))
        let offered = page.text(between: "<datalist id=\"parameters\">", "</datalist>") ?? ""
        #expect(offered.contains("value=\"colour\"") && offered.contains("value=\"threshold\""))
        #expect(page.text.contains("<option value=\"swiss\">swiss</option>"))
        #expect(page.text.contains("<option value=\"digits\">digits</option>"))
        #expect(page.text.contains("Choose a model first") && !page.text.contains("name=\"version-0\""))
    }

    @Test("An experiment for devices that do not exist has a warning")
    func unknownAudience() throws {
        try service.putTemplate(ConfigDriver.template)
        let made = try browser.post(
            "\(Self.root)/new", Self.fields([("audience", "device.country in ['UK']"), ("do", "save")]))
        #expect(made.status == 303, "\(made.text)")
        let warning = "Perhaps a mistake: In the audience, no country has the code &#39;UK&#39;; devices there send GB."
        #expect(try browser.get("\(Self.root)/colours").text.contains(warning))
        #expect(try service.hearthAdmin(.post, "experiments/colours:start").status == 200)
        #expect(try browser.get("\(Self.root)/colours").text.contains(warning))
        #expect(try service.hearthAdmin(.post, "experiments/colours:stop").status == 200)
        #expect(try !browser.get("\(Self.root)/colours").text.contains("Perhaps a mistake: "))
    }

    @Test("All models are offered, however many there are; one that is gone stays chosen")
    func manyModels() throws {
        for number in 0..<120 { _ = try service.makeModel("model-\(number)") }
        #expect(try browser.get("\(Self.root)/new").text.contains("<option value=\"model-119\">"))
        let page = try browser.post("\(Self.root)/new", Self.fields([("model", "gone"), ("do", "versions")]))
        #expect(page.text.contains("<option value=\"gone\" selected>gone (is gone)</option>"))
    }

    @Test("The versions of the chosen model have their notes, aliases and verdicts; what was filled in stays")
    func versions() throws {
        let id = try service.makeModel("digits", FakeProbe.ok("one"), isPublished: true)
        _ = try service.makeVersion(id, FakeProbe.ok("two"))
        service.waitForCheck(FakeProbe.ok("two"))
        _ = try service.hearthAdmin(.patch, "models/\(id)/versions/2", #"{"note":"<trained> on more"}"#)
        let page = try browser.post(
            "\(Self.root)/new", Self.fields([("model", "digits"), ("do", "versions"), ("note", "kept & shown")]))
        page.expectPage("Create an experiment")
        #expect(page.text.contains("<option value=\"2\">2 – &lt;trained&gt; on more – ok</option>"), "\(page.text)")
        #expect(page.text.contains("kept &amp; shown") && page.text.contains("name=\"versions-of\" value=\"digits\""))
        #expect(try service.hearthAdmin(.get, "experiments").text.contains("colours") == false)
        let made = try browser.post(
            "\(Self.root)/new",
            Self.fields(
                [
                    ("model", "digits"), ("versions-of", "digits"), ("version-0", "1"), ("version-1", "2"),
                    ("value-0", ""), ("value-1", ""),
                ], parameter: ""))
        #expect(made.status == 303, "\(made.text)")
        #expect(try definition().variants.map(\.models) == [["digits": 1], ["digits": 2]])
        // The versions of another model are not those of this one.
        let other = try browser.post(
            "\(Self.root)/new",
            Self.fields([("model", "digits"), ("versions-of", "flowers"), ("version-0", "1")]))
        #expect(other.status == 400 && other.text.contains("You chose versions of &#39;flowers&#39;."))
    }

    @Test("A parameter that the template does not have is refused, unless the person says that it is new")
    func unknownParameter() throws {
        try service.putTemplate(ConfigDriver.template)
        let refused = try browser.post("\(Self.root)/new", Self.fields([], parameter: "color"))
        refused.expectPage("Create an experiment", status: 400)
        #expect(refused.text.contains("The template has no parameter &#39;color&#39;."))
        #expect(refused.text.contains("value=\"color\"") && refused.text.contains("Create the parameter</label>"))
        #expect(try service.hearthAdmin(.get, "experiments/colours").status == 404)
        let json =
            #"{"name":"j","goal":{"event":"e","kind":"total"},"variants":[{"name":"a","parameters":{"p":"1"}},{"name":"b","parameters":{"p":"2"}}]}"#
        #expect(try browser.post("\(Self.root)/new", [("name", "j"), ("json", json)]).status == 400)

        let made = try browser.post("\(Self.root)/new", Self.fields([("new-parameter", "yes")], parameter: "color"))
        #expect(made.status == 303, "\(made.text)")
        let active = try activeVersion()
        #expect(active.version?.versionNumber == "2" && active.parameters?["color"]?.defaultValue == .inAppDefault)
        #expect(active.parameters?["colour"]?.defaultValue == .text("red"))
    }

    @Test("What was filled in and would be lost is refused at its field")
    func halfFilled() throws {
        try service.putTemplate(ConfigDriver.template)
        let cases: [([(String, String)], String)] = [
            ([("variant-1", ""), ("variant-2", "x")], "Variant 2 has no name."),
            ([("parameter", "")], "A variant has a value. Choose the parameter"),
            ([("value-0", ""), ("value-1", "")], "No variant has a value of this parameter."),
            ([("version-0", "1")], "A variant has a version. Choose the model"),
            ([("rail-margin-1", "5")], "Guardrail 2 has no event."),
            ([("audience", "true"), ("audience-condition", "swiss")], "Choose a condition or write an expression"),
        ]
        for (more, text) in cases {
            let answer = try browser.post("\(Self.root)/new", Self.fields(more))
            answer.expectPage("Create an experiment", status: 400)
            #expect(answer.text.contains("aria-invalid=\"true\""), "\(text)")
            #expect(answer.text.ranges(of: text).count == 2, "once above the form, once at the field: \(text)")
        }
        #expect(try service.hearthAdmin(.get, "experiments/colours").status == 404)
    }

    @Test("A condition of the template is the audience, and the draft shows it by its name")
    func audience() throws {
        try service.putTemplate(ConfigDriver.template)
        let made = try browser.post(
            "\(Self.root)/new", Self.fields([("audience-condition", "swiss"), ("audience", ""), ("value-0", "")]))
        #expect(made.status == 303, "\(made.text)")
        #expect(try definition().audience == "device.country in ['CH']")
        // An empty cell is the usual value.
        #expect(try definition().variants.map(\.parameters) == [nil, ["colour": "blue"]])
        let edit = try browser.get("\(Self.root)/colours/edit")
        edit.expectPage("Edit colours")
        #expect(edit.text.contains("<option value=\"swiss\" selected>"))
    }

    @Test("Before a start the page says that it publishes a version of the template; afterwards it links to it")
    func start() throws {
        try service.putTemplate(ConfigDriver.template)
        #expect(try browser.post("\(Self.root)/new", Self.fields([])).status == 303)
        let config = ConfigDriver.root
        #expect(
            try browser.post("\(config)/new-parameter", ConfigDriver.parameter("other", "1")).status == 303)
        let page = try browser.get("\(Self.root)/colours/start")
        page.expectPage("Start colours")
        #expect(page.text.contains("Starting publishes version 2 of the Remote Config template"))
        #expect(page.text.contains("Your unpublished draft of 1 change stays"))
        let started = try browser.post("\(Self.root)/colours/start")
        let location = try #require(started.headers["Location"])
        #expect(location.hasSuffix("/colours?done=started&template=2"), "\(location)")
        let after = try browser.get(String(location.dropFirst("/console/".count)))
        after.expectPage("colours")
        #expect(after.text.contains("config/versions/2\">version 2 of the Remote Config template</a>"))
        #expect(try activeVersion().version?.versionNumber == "2")
        #expect(try browser.get("\(config)/changes").text.contains("Apply my changes to version 2"))
        // A link with another version says nothing.
        #expect(try !browser.get("\(Self.root)/colours?template=1").text.contains("This published"))
        #expect(try browser.get("\(Self.root)/colours/stop").text.contains("Stopping publishes version 3"))
        #expect(try browser.get("\(Self.root)/colours/roll-out").text.contains("Rolling out publishes version 3"))
    }
}
