import HearthCatalog
import HearthHTTP
import HearthManagement
import HearthWire
import Testing

@testable import HearthConsole
@testable import HearthManagementTestSupport

@Suite("Experiments on the pages of what they change") struct ExperimentMentionTests {
    private let fixture: ConsoleFixture
    private let id: String

    init() throws {
        fixture = try ConsoleFixture()
        id = try fixture.service.makeModel("flowers", FakeProbe.ok("1"), isPublished: true)
        try fixture.service.makeVersion(id, FakeProbe.ok("2"))
    }

    private func page(_ path: String, _ role: Role = .viewer) throws -> TestResponse {
        try fixture.browser(role).get("projects/project-a/" + path)
    }

    private func petals(_ more: String = "") -> String {
        #"""
        {"name":"petals","goal":{"event":"buy","kind":"conversion"},"share":0.25\#(more),
        "variants":[{"name":"old","models":{"flowers":1}},{"name":"new <b>","models":{"flowers":2}}]}
        """#.replacing(" <b>", with: "")
    }

    @Test("A model's page names the experiments over its versions, with their state and share")
    func model() throws {
        #expect(try !page("models/\(id)").text.contains("<h2>Experiments</h2>"))
        try fixture.service.makeExperiment(TestService.twoVariantExperiment("colours"))
        try fixture.service.makeExperiment(petals(), start: false)
        let draft = try page("models/\(id)")
        #expect(draft.text.contains(">draft</span>") && !draft.text.contains("in a running experiment"))
        #expect(try fixture.service.hearthAdmin(.post, "experiments/petals:start").status == 200)
        let running = try page("models/\(id)")
        running.expectPage("flowers")
        #expect(running.text.contains("<a href=\"/console/projects/project-a/experiments/petals\">petals</a>"))
        #expect(running.text.contains(">running</span>") && running.text.contains("25 % of all devices"))
        #expect(running.text.contains("old: version 1; new: version 2"))
        #expect(running.text.contains("whatever the releases say") && !running.text.contains(">colours</a>"))
        #expect(try fixture.service.hearthAdmin(.post, "experiments/petals:stop").status == 200)
        let stopped = try page("models/\(id)")
        #expect(stopped.text.contains("Experiments that have ended (1)"))
        #expect(!stopped.text.contains("whatever the releases say"))
    }

    @Test(
        "A parameter's page names the experiments that set it, for viewers and publishers",
        arguments: [
            Role.viewer, .publisher,
        ])
    func parameter(role: Role) throws {
        try fixture.service.putTemplate(ConfigDriver.template)
        try fixture.service.makeExperiment(TestService.twoVariantExperiment("colours"))
        let set = try page("config/parameters/colour", role)
        set.expectPage("colour")
        #expect(set.text.contains("<a href=\"/console/projects/project-a/experiments/colours\">colours</a>"))
        #expect(set.text.contains("old: red; new: blue") && set.text.contains("100 % of all devices"))
        #expect(try !page("config/parameters/threshold", role).text.contains("<h2>Experiments</h2>"))
    }
}
