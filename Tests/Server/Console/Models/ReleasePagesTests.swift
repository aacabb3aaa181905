import HearthCatalog
import HearthHTTP
import HearthIdentity
import HearthManagement
import HearthWire
import Testing

@testable import HearthConsole
@testable import HearthManagementTestSupport

@Suite("Pages of releases") struct ReleasePagesTests {
    private let fixture: ConsoleFixture
    private let id: String
    private var path: String { "projects/project-a/models/\(id)" }

    init() throws {
        fixture = try ConsoleFixture()
        id = try fixture.service.makeModel("flowers", FakeProbe.ok("1"), isPublished: true)
        _ = try fixture.service.upload(FakeProbe.ok("2"), name: "second")
        let made = try fixture.service.hearthAdmin(
            .post, "models/\(id)/versions", #"{"source":"\#(fixture.service.uri("second"))","note":"the <better> one"}"#
        )
        try #require(made.status == 200, "\(made.text)")
    }

    private func call(_ method: HTTPMethod, _ path: String, _ json: String = "") throws {
        fixture.service.time.advance(seconds: 60)
        let answer = try fixture.service.hearthAdmin(method, "models/\(id)\(path)", json)
        try #require(answer.status == 200, "\(answer.text)")
    }

    private func rolledOut() throws {
        try call(.post, "/releases", #"{"version":2,"share":0.1}"#)
        try call(.patch, "/releases/2", #"{"share":0.5}"#)
        try call(.post, "/releases/2:pause")
        try call(.post, "/releases/2:resume")
    }

    private func rows(_ page: TestResponse) -> [String] {
        let table = page.text(
            between: "<caption class=\"hidden\">History of the release, newest first</caption>", "</table>")
        return (table ?? "").split(separator: "<tr>").dropFirst(2).map { row in
            row.split(separator: "<td>").dropFirst().map { String($0.prefix { $0 != "<" }) }.joined(separator: "|")
        }
    }

    @Test("An owner sees each change with who made it; what happened to other releases is not there")
    func history() throws {
        try rolledOut()
        try call(.post, "/releases/2:end")
        try call(.post, "/releases", #"{"version":2,"share":0.2}"#)
        let page = try fixture.browser().get(path + "/releases/2")
        page.expectPage("flowers, release 2")
        let name = try #require(fixture.service.a.account.email.split(separator: "@").first)
        let rows = rows(page)
        #expect(
            rows.map { $0.split(separator: "|")[0] } == ["Stopped", "Resumed", "Paused", "Changed", "Began"], "\(rows)")
        #expect(rows.allSatisfy { $0.contains("|\(name)|") }, "\(rows)")
        #expect(rows[3].contains("share 10 % → 50 %") && rows[4].contains("10 %"), "\(rows)")
        #expect(page.text.contains("Stopped by a person: \(name)."))
    }

    @Test("A viewer sees what the releases know, and that a person rolled back")
    func rolledBack() throws {
        try rolledOut()
        try call(.post, ":rollback")
        let name = try #require(fixture.service.a.account.email.split(separator: "@").first)
        let viewer = try fixture.browser(.viewer).get(path + "/releases/2")
        #expect(rows(viewer).map { $0.prefix { $0 != "|" } } == ["Rolled back", "Began"])
        #expect(
            viewer.text.contains(
                "Stopped by a person: \(name) rolled back, and release 3 gives all devices version 1 again."))
        #expect(viewer.text.contains("Owners also see each change"))
        let owner = try fixture.browser().get(path + "/releases/2")
        #expect(
            rows(owner).map { $0.prefix { $0 != "|" } } == ["Rolled back", "Resumed", "Paused", "Changed", "Began"])
        #expect(owner.text.contains("Stopped by a person: \(name) rolled back"))
    }

    @Test("What the other devices get, where the fallback release does not reach all of them")
    func others() throws {
        try call(.post, "/releases", #"{"version":2,"share":0.4}"#)
        let second = try fixture.browser().get(path + "/releases/2")
        #expect(second.text.contains("All others get version 1 of release 1."))
        try call(.post, "/releases", #"{"version":1,"share":0.1}"#)
        let third = try fixture.browser().get(path + "/releases/3")
        #expect(
            third.text.contains(
                "Each other device gets the first of these that includes it: version 2 of release 2 (40 % of all devices), "
                    + "version 1 of release 1 (100 % of all devices)."), "\(third.text)")
    }

    @Test("A release for devices that do not exist has a warning until it ends")
    func unknownAudience() throws {
        let browser = try fixture.browser(.publisher)
        let made = try browser.post(
            path + "/releases/new",
            [("version", "2"), ("share", "10"), ("systems", "iphone"), ("condition", "device.country in ['UK']")])
        #expect(made.status == 303, "\(made.text)")
        let warnings = [
            "Perhaps a mistake: no device is known to have the operating system &#39;iphone&#39;;",
            "Perhaps a mistake: no country has the code &#39;UK&#39;; devices there send GB.",
        ]
        // Not only right after the creation.
        for reader in [browser, try fixture.browser(.viewer)] {
            let page = try reader.get(path + "/releases/2")
            #expect(warnings.allSatisfy { page.text.contains($0) }, "\(page.text)")
        }
        try call(.post, "/releases/2:end")
        #expect(try !browser.get(path + "/releases/2").text.contains("Perhaps a mistake: "))
    }

    @Test("A release that a newer one replaced was not stopped; one that unpublishing ended was")
    func otherEnds() throws {
        try call(.post, "/releases", #"{"version":2}"#)
        for role in [Role.viewer, .owner] {
            let replaced = try fixture.browser(role).get(path + "/releases/1")
            #expect(replaced.text.contains("Replaced: release 2 gives all devices version 2."))
            #expect(!replaced.text.contains("Stopped by a person"))
        }
        #expect(try fixture.service.publish(id, false).status == 200)
        for role in [Role.viewer, .owner] {
            #expect(try fixture.browser(role).get(path + "/releases/2").text.contains("Stopped by a person"))
        }
    }

    @Test("A rollback names the version to which devices go back, and refuses when that has changed")
    func rollback() throws {
        let browser = try fixture.browser(.publisher)
        #expect(try browser.get(path + "/rollback").text.contains("There is no earlier version to go back to"))
        // Nobody sends a version to all devices by a choice that the page made.
        #expect(try browser.get(path + "/rollback").text.contains("<option value=\"\" selected>choose one</option>"))
        #expect(try browser.post(path + "/rollback", [("target", ""), ("version", "")]).status == 400)
        try call(.post, "/releases", #"{"version":2}"#)
        try call(.post, "/releases", #"{"version":1}"#)
        let page = try browser.get(path + "/rollback")
        page.expectPage("Roll flowers back")
        #expect(page.text.contains("<strong>devices go back to version 2: the &lt;better&gt; one.</strong>"))
        #expect(page.text.contains(">Version 2: the &lt;better&gt; one, which all devices had before</option>"))
        #expect(try fixture.service.hearthAdmin(.get, "models/\(id)/releases/4").status == 404, "it was only shown")
        let target = try #require(page.text(between: "name=\"target\" value=\"", "\""))
        try call(.post, "/releases", #"{"version":2}"#)
        let late = try browser.post(path + "/rollback", [("target", target), ("version", "")])
        #expect(late.status == 409 && late.text.contains("now devices would go back to version 1"))
        #expect(try browser.post(path + "/rollback", [("target", "1"), ("version", "")]).status == 303)
        #expect(try fixture.service.delivered("flowers") == hash(FakeProbe.ok("1")))
    }

    @Test("A share below that of the release under way is refused, and not called begun")
    func smallerShare() throws {
        let browser = try fixture.browser(.publisher)
        #expect(
            try browser.get(path + "/releases/new").text.contains(
                "name=\"share\" type=\"text\" inputmode=\"decimal\" value=\"10\""))
        let refused = try browser.post(path + "/releases/new", [("version", "1"), ("share", "10")])
        #expect(
            refused.status == 409 && refused.text.contains("Release 1 gives version 1 to 100 % of the devices already"))
        let same = try browser.post(path + "/releases/new", [("version", "1"), ("share", "100")])
        #expect(same.headers["Location"]?.hasSuffix("/releases/1?done=unchanged") == true)
    }

    @Test(
        "A share that is finer than shares can be is refused with the rule, and not rounded to none",
        arguments: ["0.00001", "33.333333", "0.00001 %", "1e1", "101", "", "ten"])
    func wrongShares(text: String) throws {
        let browser = try fixture.browser(.publisher)
        let refused = try browser.post(
            path + "/releases/new", [("version", "2"), ("share", text), ("hold", "2"), ("on-harm", "pause")])
        refused.expectPage("Release a version of flowers", status: 400)
        let rule = text.contains("3") || text.contains("0.0") ? "at most 4 digits behind the point" : "share"
        #expect(refused.text.contains(rule), "\(refused.text)")
    }

    @Test("A share may be written as on the command line", arguments: ["33,3", "33.3 %", "33.3%"])
    func shares(text: String) throws {
        let browser = try fixture.browser(.publisher)
        let made = try browser.post(
            path + "/releases/new", [("version", "2"), ("share", text), ("hold", "2"), ("on-harm", "pause")])
        #expect(made.status == 303)
        #expect(try fixture.service.hearthAdmin(.get, "models/\(id)/releases/2")["share"] as? Double == 0.333)
    }

    @Test(
        "Numbers that no field means are refused",
        arguments: ["1e30", "1e300", "-1e300", "9223372036854775807", "inf", "nan"])
    func largeNumbers(text: String) throws {
        let browser = try fixture.browser(.publisher)
        let refused = try browser.post(
            path + "/releases/new", [("version", "2"), ("share", "10"), ("hold", text), ("on-harm", "pause")])
        refused.expectPage("Release a version of flowers", status: 400)
        #expect(try browser.get(path + "/images?from=\(text)").status == 200)
        try fixture.service.makeExperiment(TestService.twoVariantExperiment("colours"))
        #expect(try browser.get("projects/project-a/experiments?from=\(text)").status == 200)
    }

    @Test("Guards without reports show no numbers, and say what to do")
    func noReports() throws {
        try rolledOut()
        let page = try fixture.browser(.viewer).get(path + "/releases/2")
        #expect(page.text.contains("<strong>No reports yet.</strong>") && !page.text.contains("Baseline failed"))
        let devices = try fixture.browser(.viewer).get(path + "/devices")
        #expect(devices.text.contains("<strong>No reports yet.</strong>") && !devices.text.contains("By version"))
        #expect(devices.text.contains("<strong>No reports in this period.</strong>"))
        for page in [page, devices] {
            #expect(page.text.contains("only after <code>Analytics.setModelReportingEnabled(true)</code>"))
            #expect(!page.text.contains("by themselves"))
        }
        #expect(!devices.text.contains("Reports by version"))
    }

    @Test("A shared page says where it is from and how long the link is good")
    func shared() throws {
        let browser = try fixture.browser(.publisher)
        let made = try browser.post(path + "/releases/1/link")
        let secret = try #require(made.text(between: "/console/shared?link=", "<"))
        let page = try Browser(fixture).get("shared?link=\(secret)")
        page.expectPage("flowers, release 1")
        let top = try #require(page.text(between: "<header class=\"top\">", "</header>"))
        #expect(top.contains("<strong>Hearth</strong>") && top.contains("project-a"))
        #expect(top.contains("<time datetime=\"2027-01-22T08:00:00Z\">") && !top.contains("<nav"))
        #expect(!page.text.contains("Owners also see"))
    }

    @Test("A shared page names no installation by its id, and no person")
    func sharedNames() throws {
        let installation = "cAAAAAAAAAAAAAAAAAAAAA"
        try call(
            .post, "/releases",
            #"{"version":2,"share":0.5,"audience":{"condition":"app.firebaseInstallationId in ['\#(installation)', 'x']"}}"#
        )
        try call(.post, ":rollback")
        let browser = try fixture.browser()
        #expect(try browser.get(path + "/releases/2").text.contains(installation), "people of the project see it")
        let made = try browser.post(path + "/releases/2/link")
        let secret = try #require(made.text(between: "/console/shared?link=", "<"))
        let page = try Browser(fixture).get("shared?link=\(secret)")
        page.expectPage("flowers, release 2")
        #expect(!page.text.contains(installation) && page.text.contains("in [&#39;device:"))
        let name = try #require(fixture.service.a.account.email.split(separator: "@").first)
        #expect(!page.text.contains("@") && !page.text.contains(">\(name)<") && !page.text.contains("\(name) rolled"))
        #expect(
            page.text.contains("Stopped by a person, who rolled back: release 3 gives all devices version 1 again."))
    }

    @Test("A shared page of an experiment neither")
    func sharedExperiment() throws {
        try fixture.service.makeExperiment(
            TestService.twoVariantExperiment(
                more: #","audience":"app.firebaseInstallationId in ['cAAAAAAAAAAAAAAAAAAAAA']""#))
        let browser = try fixture.browser()
        let made = try browser.post("projects/project-a/experiments/colours/link")
        let secret = try #require(made.text(between: "/console/shared?link=", "<"), "\(made.text)")
        let page = try Browser(fixture).get("shared?link=\(secret)")
        page.expectPage("colours")
        #expect(
            page.text.contains("device:") && !page.text.contains("cAAAAAAAAAAAAAAAAAAAAA") && !page.text.contains("@"))
        let stopped = try fixture.service.hearthAdmin(.post, "experiments/colours:stop")
        try #require(stopped.status == 200, "\(stopped.text)")
        let ended = try Browser(fixture).get("shared?link=\(secret)")
        #expect(ended.text.contains(": stopped") && !ended.text.contains("stopped by") && !ended.text.contains("@"))
    }

    @Test("Tags are named as tags, not as states")
    func tags() throws {
        let answer = try fixture.service.admin(
            .patch, "models/\(id)?updateMask=tags", #"{"tags":["published","v1"]}"#)
        try #require(answer.status == 200, "\(answer.text)")
        let page = try fixture.browser(.viewer).get(path)
        #expect(page.text.contains(">Tags: published, v1<") && !page.text.contains("badge neutral\">published"))
    }
}
