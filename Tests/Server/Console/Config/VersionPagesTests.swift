import HearthCatalog
import HearthHTTP
import HearthIdentity
import HearthWire
import Testing

@testable import HearthConsole
@testable import HearthManagementTestSupport

@Suite("Pages of a template's versions") struct VersionPagesTests {
    private let driver: ConfigDriver

    init() throws { driver = try ConfigDriver() }

    private func put(_ value: String, description: String = "") throws {
        try driver.service.putTemplate(
            #"{"parameters":{"colour":{"defaultValue":{"value":"\#(value)"}}},"version":{"description":"\#(description)"}}"#
        )
    }

    @Test("The list is paged, and shows each version with its author and origin")
    func list() throws {
        #expect(try driver.page("/versions").text.contains("No version is published yet."))
        for number in 1...60 { try put("v\(number)", description: "number <\(number)>") }
        let page = try driver.page("/versions")
        page.expectPage("Versions")
        #expect(page.text.contains("Version 60</a>") && page.text.contains("number &lt;60&gt;"))
        #expect(page.text.contains("API, forced") && page.text.contains("aria-label=\"Compare from version 59\""))
        #expect(!page.text.contains("Version 10</a>"))
        #expect(page.text.contains("Version 60</a> <span class=\"badge good\">active</span>"))
        #expect(page.text.ranges(of: ">active</span>").count == 1)
        let next = try #require(page.text(between: "href=\"/console/projects/project-a/config/versions?after=", "\""))
        let older = try driver.page("/versions?after=\(next)")
        #expect(older.text.contains("Version 10</a>") && !older.text.contains(">active</span>"))
    }

    @Test("One version shows what it changed; two are compared in both directions")
    func compare() throws {
        try put("red")
        try put("green")
        try put("blue")
        let page = try driver.page("/versions/2")
        page.expectPage("Version 2")
        #expect(page.text.contains("<code>red</code>") && page.text.contains("<code>green</code>"))
        let compared = try driver.page("/compare?from=3&to=1")
        compared.expectPage("Version 3 and version 1")
        let (before, after) = (
            compared.text.firstRange(of: "<code>blue</code>"), compared.text.firstRange(of: "<code>red</code>")
        )
        #expect(try #require(before).lowerBound < #require(after).lowerBound)
        #expect(try driver.page("/compare?from=1&to=1").text.contains("Nothing: both have the same content."))
        #expect(try driver.page("/compare?from=1&to=9").status == 404)
        #expect(try driver.page("/compare?from=x&to=1").status == 400)
        #expect(try driver.page("/versions/9").status == 404)
    }

    @Test("A rollback shows what it changes, and then makes a version")
    func rollback() throws {
        try put("red")
        try put("green")
        let page = try driver.page("/versions/1/rollback")
        page.expectPage("Roll back to version 1")
        #expect(page.text.contains("<code>green</code>") && page.text.contains("<code>red</code>"))
        #expect(page.text.contains("makes version 3 with the content of version 1"))
        let target = page.text(between: "<strong>Devices go back to version 1</strong>", "</p>")
        #expect(target?.contains(driver.service.a.account.email) == true, "\(target ?? "")")
        #expect(target?.contains("<time datetime=\"2027-01-15T08:00:00") == true)
        let answer = try driver.post("/versions/1/rollback", [("active", "2")])
        #expect(answer.headers["Location"] == "/console/\(driver.root)?done=rolled-back")
        #expect(try driver.active().parameters?["colour"]?.defaultValue == .text("red"))
        #expect(try driver.page("/versions").text.contains("console, rollback to version 1"))
    }

    @Test("A rollback that was read before another version was published is refused")
    func staleRollback() throws {
        try put("red")
        try put("green")
        try put("blue")
        let answer = try driver.post("/versions/1/rollback", [("active", "2")])
        answer.expectPage("Roll back to version 1", status: 409)
        #expect(
            answer.text.contains("Someone published version 3 meanwhile.") && answer.text.contains("<code>blue</code>"))
        #expect(try driver.active().versionNumber == 3)
    }

    @Test("A viewer compares, and cannot roll back")
    func viewer() throws {
        try put("red")
        try put("green")
        let viewer = try ConfigDriver(.viewer, fixture: driver.fixture)
        #expect(try !viewer.page("/versions/1").text.contains("Roll back to this version"))
        #expect(try !viewer.page("/versions/1/rollback").text.contains("<button class=\"danger\""))
        #expect(try viewer.post("/versions/1/rollback", [("active", "2")]).status == 403)
        #expect(try driver.active().versionNumber == 2)
    }
}

@Suite("What a device would get") struct DevicePageTests {
    private let driver: ConfigDriver

    init() throws {
        driver = try ConfigDriver()
        try driver.service.putTemplate(ConfigDriver.template)
    }

    @Test("The form asks for the facts of the conditions, and shows each value and why")
    func values() throws {
        let form = try driver.page("/device")
        form.expectPage("As this device")
        let open = try #require(form.text(between: "<form action", "<details>"))
        #expect(
            open.contains("id=\"country\"") && open.contains("id=\"installation\"") && !open.contains("id=\"language\"")
        )
        #expect(!form.text.contains("What it gets"))

        let page = try driver.page("/device?of=active&country=CH&signals=level%3D7%0D%0A&tags=x")
        page.expectPage("As this device")
        #expect(page.text.contains("<code>white</code>") && page.text.contains("the condition ‘swiss’"))
        #expect(page.text.contains("not decided") && page.text.contains("does not say app.firebaseInstallationId"))
        #expect(page.text.contains("hearth remoteconfig evaluate --country CH --tag x --signal level=7"))
        let other = try driver.page("/device?of=active&country=DE")
        #expect(other.text.contains("<code>red</code>") && other.text.contains("The term at column 1 is false."))
        #expect(other.text.contains("device.country in [&#39;CH&#39;]\n^"))
    }

    @Test("A fact that no device can send is refused, and the form keeps it")
    func refused() throws {
        let page = try driver.page("/device?of=active&country=%3CSwitzerland%3E")
        page.expectPage("As this device", status: 400)
        #expect(page.text.contains("value=\"&lt;Switzerland&gt;\"") && page.text.contains("A country has two letters"))
        let signal = try driver.page("/device?signals=level")
        #expect(signal.status == 400 && signal.text.contains("is not of the form key=value"))
        // The reason stands at the field too.
        #expect(page.text.contains("<small id=\"country-hint\">A country has two letters"))
        #expect(signal.text.contains("<small id=\"signals-hint\">Custom signals: &#39;level&#39; is not"))
    }

    @Test("While there is a draft, each page of the template leads to its publication")
    func wayToPublish() throws {
        let way = "config/changes\">Look at the changes and publish</a>"
        #expect(try !driver.page("/device").text.contains(way))
        try driver.change("/parameters/threshold", ConfigDriver.parameter("threshold", "0.75", type: "NUMBER"))
        for path in [
            "", "/conditions", "/versions", "/versions/1", "/compare?from=1&to=1", "/versions/1/rollback", "/json",
            "/device", "/device?of=draft", "/device?of=active", "/new-parameter", "/new-condition",
        ] {
            let page = try driver.page(path)
            #expect(page.status == 200 && page.text.ranges(of: way).count == 1, "\(path)")
        }
        #expect(try driver.page("/device?of=draft").text.contains(">Publish the draft</a>"))
        #expect(try driver.page("/device?of=active").text.contains("You have a draft: 1 change not published yet."))
    }

    @Test("A template as JSON that is refused has the reason at its field")
    func refusedJSON() throws {
        let json = #"{"parameters":{"p":{"valueType":"NUMBER","defaultValue":{"value":"x"}}}}"#
        let page = try driver.post("/json", [("draft", ""), ("template", json)])
        page.expectPage("Template as JSON", status: 400)
        #expect(page.text.contains("aria-describedby=\"template-refusal\""))
        #expect(
            page.text.contains("<small id=\"template-refusal\">parameters.p.defaultValue: The value is not a NUMBER"))
    }

    @Test("The draft is tried before it is published, also by its own session only; a viewer may ask too")
    func draft() throws {
        try driver.change("/parameters/threshold", ConfigDriver.parameter("threshold", "0.75", type: "NUMBER"))
        let draft = try driver.page("/device?of=draft")
        #expect(draft.text.contains("Of your draft") && draft.text.contains("<code>0.75</code>"))
        #expect(try driver.page("/device?of=active").text.contains("<code>0.6</code>"))
        let viewer = try ConfigDriver(.viewer, fixture: driver.fixture)
        #expect(try viewer.page("/device?of=draft").text.contains("Of version 1"))
    }
}
