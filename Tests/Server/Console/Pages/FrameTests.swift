import HearthCatalog
import HearthHTTP
import HearthIdentity
import HearthManagement
import HearthWire
import Testing

@testable import HearthConsole
@testable import HearthManagementTestSupport

@Suite("What all pages have") struct FrameTests {
    private let fixture: ConsoleFixture

    init() throws { fixture = try ConsoleFixture() }

    private func who(_ page: TestResponse) -> String? {
        page.text(between: "class=\"cut who\"", "</a>")?.split(separator: ">").last.map(String.init)
    }

    @Test("The header names the account or the token, not its id")
    func names() throws {
        let name = try #require(fixture.service.a.account.email.split(separator: "@").first)
        #expect(try who(fixture.browser().get("projects/project-a/")) == "\(name) (owner)")
        let made = try fixture.service.hearthAdmin(.post, "adminTokens", #"{"name":"dash <board>","role":"viewer"}"#)
        let token = try #require(made.string("token"), "\(made.text)")
        let page = try fixture.browser(token: token).get("account")
        #expect(who(page) == "dash &lt;board&gt; (viewer)")
        #expect(page.text.contains("<strong>dash &lt;board&gt;</strong> (token:"))
    }

    @Test(
        "Pages of the whole server have the menu of the project that the reader saw last",
        arguments: ["server", "account"])
    func menu(path: String) throws {
        let link = { (project: String) in "<a href=\"/console/projects/\(project)/models\"" }
        #expect(try fixture.browser(.viewer).get(path).text.contains(link("project-a")))
        let root = try fixture.browser(.owner, in: nil)
        #expect(try root.get(path).text.contains(link("project-a")), "the first one")
        #expect(try root.get("projects/project-b/models").status == 200)
        #expect(try root.get("projects/project-x/models").status == 404)
        let page = try root.get(path)
        #expect(page.text.contains(link("project-b")) && page.text.contains("/projects/project-b/search\""))
        let areas = try #require(page.text(between: "<nav class=\"areas\"", "</nav>"))
        #expect(!areas.contains("aria-current"))
        let other = try fixture.browser(.viewer, in: "project-b")
        #expect(try other.get(path).text.contains(link("project-b")))
    }

    @Test("The menu is folded by an element that works without script")
    func fold() throws {
        let page = try fixture.browser().get("projects/project-a/models")
        #expect(
            page.text.contains(
                "<details class=\"fold\" id=\"menu\"><summary>Menu</summary></details><div class=\"menu\">"))
    }

    @Test("Numbers with their nouns, and sizes")
    func numbers() {
        #expect(NumberText.count(1, "model") == "1 model" && NumberText.count(0, "model") == "0 models")
        #expect(NumberText.count(1234, "model") == "1,234 models")
        #expect(NumberText.count(2, "reply", plural: "replies") == "2 replies")
        #expect(NumberText.bytes(1) == "1 byte" && NumberText.bytes(1023) == "1,023 bytes")
        #expect(NumberText.bytes(1024) == "1.0 KiB" && NumberText.bytes(225_700) == "220.4 KiB")
        #expect(NumberText.bytes(1_048_575) == "1023.9 KiB" && NumberText.bytes(1 << 20) == "1.0 MiB")
        #expect(NumberText.bytes(3 << 40) == "3072.0 GiB", "as the command line shows it")
    }

    @Test("Confidences that are no shares of 1 are plain numbers")
    func confidences() {
        let shares = ConfidenceText([0.719, 1.004, 0])
        #expect(shares.text(0.719) == "71.9 %" && shares.text(0) == "0 %")
        let logits = ConfidenceText([8.15, 0.5])
        #expect(logits.text(8.15) == "8.15" && logits.text(0.5) == "0.5")
        #expect(ConfidenceText([0.5, -0.3]).text(0.5) == "0.5" && ConfidenceText([]).text(0.5) == "50 %")
    }

    @Test("One model is one model")
    func oneModel() throws {
        _ = try fixture.service.makeModel("flowers", FakeProbe.ok("1"))
        let page = try fixture.browser().get("projects/project-a/")
        #expect(page.text.contains(">model</a>") && !page.text.contains(">models</a>"))
        #expect(page.text.contains("0 published"))
    }

    @Test("An experiment without reports shows no rates, verdicts or charts")
    func emptyExperiment() throws {
        try fixture.service.makeExperiment(TestService.twoVariantExperiment())
        let browser = try fixture.browser(.viewer)
        let page = try browser.get("projects/project-a/experiments/colours")
        page.expectPage("colours")
        #expect(page.text.contains("<strong>No reports yet.</strong>") && page.text.contains("<code>buy</code>"))
        for text in ["sizes fit the weights", "95 % interval", "<svg", "not decided", "No significant difference"] {
            #expect(!page.text.contains(text), "\(text)")
        }
        let list = try browser.get("projects/project-a/experiments")
        #expect(list.text.contains("no reports yet") && !list.text.contains("not decided"))
    }
}
