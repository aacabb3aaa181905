import HearthCatalog
import HearthHTTP
import HearthRemoteConfigTemplates
import HearthWire
import Testing

@testable import HearthConsole
@testable import HearthManagementTestSupport

@Suite("Changes of a template before they are published") struct ConfigChangesTests {
    private let driver: ConfigDriver

    init() throws {
        driver = try ConfigDriver()
        try driver.service.putTemplate(ConfigDriver.template)
    }

    @Test("Several changes are collected, shown, and published as one version")
    func several() throws {
        try driver.change("/parameters/threshold", ConfigDriver.parameter("threshold", "0.7", type: "NUMBER"))
        try driver.change("/new-parameter", ConfigDriver.parameter("size", "big"))
        let page = try driver.page("/changes")
        page.expectPage("Changes before publishing")
        #expect(page.text.contains("2 changes to version 1.") && page.text.contains("Publish version 2"))
        #expect(page.text.contains("<code>0.6</code>") && page.text.contains("<code>0.7</code>"))
        #expect(try driver.active().versionNumber == 1)
        let published = try driver.publish("both")
        #expect(published.headers["Location"] == "/console/\(driver.root)?done=published")
        #expect(try driver.active().versionNumber == 2)
        #expect(try driver.service.auditLines().last?.contains("config.update") == true)
    }

    @Test("Words of a new condition that no device sends are pointed out, and those of published ones are not")
    func unknownWords() throws {
        let british = ConfigDriver.template.replacing("percent('s') <= 10", with: "device.country in ['UK']")
        try driver.service.putTemplate(british)
        try driver.change("/json", [("draft", ""), ("template", british.replacing("['CH']", with: "['EL']"))])
        let page = try driver.page("/changes")
        #expect(
            page.text.contains(
                "Perhaps a mistake: condition &#39;swiss&#39;: no country has the code &#39;EL&#39;; devices there send GR."
            ))
        #expect(!page.text.contains("&#39;UK&#39;; devices"))
    }

    @Test("A draft belongs to one session")
    func sessions() throws {
        try driver.change("/new-parameter", ConfigDriver.parameter("size", "big"))
        let other = try ConfigDriver(fixture: driver.fixture)
        #expect(try other.page("/changes").text.contains("You have no changes."))
        #expect(try !other.page("").text.contains(">size<"))
    }

    @Test("Discarding removes the draft and nothing else")
    func discard() throws {
        try driver.change("/new-parameter", ConfigDriver.parameter("size", "big"))
        let answer = try driver.post("/changes/discard")
        #expect(answer.headers["Location"] == "/console/\(driver.root)?done=discarded")
        #expect(try driver.page("/changes").text.contains("You have no changes."))
        #expect(try driver.active().versionNumber == 1)
    }

    @Test("Nobody publishes what another tab has added since")
    func otherTab() throws {
        try driver.change("/new-parameter", ConfigDriver.parameter("size", "big"))
        let seen = try driver.page("/changes").text(between: "name=\"draft\" value=\"", "\"") ?? ""
        try driver.change("/new-parameter", ConfigDriver.parameter("other", "x"))
        let answer = try driver.post("/changes", [("draft", seen)])
        #expect(answer.status == 409 && answer.text.contains("The draft was changed in another tab"))
        #expect(answer.text.contains("parameter other") && !seen.isEmpty)
        #expect(try driver.active().versionNumber == 1)
    }

    @Test("After a restart the draft is gone, and publishing says so")
    func restart() throws {
        try driver.change("/new-parameter", ConfigDriver.parameter("size", "big"))
        let seen = try driver.page("/changes").text(between: "name=\"draft\" value=\"", "\"") ?? ""
        driver.browser.console = driver.fixture.secondConsole()
        let answer = try driver.post("/changes", [("draft", seen)])
        #expect(answer.status == 409 && answer.text.contains("Your draft is gone"))
        #expect(try driver.active().versionNumber == 1)
    }

    // MARK: Two people

    @Test("Someone else was faster: nothing is lost on either side, and the draft is applied again")
    func conflict() throws {
        try driver.change("/parameters/threshold", ConfigDriver.parameter("threshold", "0.7", type: "NUMBER"))
        let seen = try driver.page("/changes").text(between: "name=\"draft\" value=\"", "\"") ?? ""
        let theirs = ConfigDriver.template.replacing("\"red\"", with: "\"green\"")
        try driver.service.putTemplate(theirs)

        let refused = try driver.post("/changes", [("draft", seen), ("description", "mine")])
        refused.expectPage("Changes before publishing", status: 409)
        #expect(refused.text.contains("Someone published version 2 meanwhile"))
        #expect(refused.text.contains("<code>green</code>") && !refused.text.contains("You both changed"))
        #expect(try driver.active().versionNumber == 2)

        try driver.change("/changes/reapply")
        let page = try driver.page("/changes")
        #expect(page.text.contains("1 change to version 2.") && !page.text.contains("<code>green</code>"))
        #expect(try driver.publish().status == 303)
        let active = try driver.active()
        #expect(active.parameters?["colour"]?.defaultValue == .text("green"))
        #expect(active.parameters?["threshold"]?.defaultValue == .text("0.7"))
    }

    @Test("Both changed the same value: the page names it before one replaces the other")
    func overlap() throws {
        try driver.change("/parameters/threshold", ConfigDriver.parameter("threshold", "0.7", type: "NUMBER"))
        try driver.service.putTemplate(ConfigDriver.template.replacing("0.6", with: "0.8"))
        let page = try driver.page("/changes")
        #expect(page.text.contains("You both changed: </strong>parameter threshold."))
        try driver.change("/changes/reapply")
        let again = try driver.page("/changes")
        #expect(again.text.contains("<code>0.8</code>") && again.text.contains("<code>0.7</code>"))
    }

    @Test("A form that was opened before another version was published changes the version that it showed")
    func staleForm() throws {
        try driver.service.putTemplate(ConfigDriver.template.replacing("Of the button", with: "Of all buttons"))
        let fields =
            ConfigDriver.parameter("colour", "red").filter { $0.0 != "description" } + [
                ("description", "Of the button"), ("condition-0", "swiss"), ("value-0-kind", "text"),
                ("value-0", "black"),
                ("base", "1"),
            ]
        try driver.change("/parameters/colour", fields)
        #expect(try driver.page("/changes").text.contains("Someone published version 2 meanwhile"))
        try driver.change("/changes/reapply")
        #expect(try driver.publish().status == 303)
        let colour = try driver.active().parameters?["colour"]
        #expect(colour?.description == "Of all buttons" && colour?.conditionalValues == ["swiss": .text("black")])
    }

    @Test("What cannot be applied to the other version says why, and the draft stays")
    func impossible() throws {
        try driver.change(
            "/parameters/threshold",
            ConfigDriver.parameter("threshold", "0.6", type: "NUMBER") + [
                ("add-condition", "beta"), ("add-kind", "text"), ("add", "1"),
            ])
        try driver.service.putTemplate(
            #"{"parameters":{"threshold":{"defaultValue":{"value":"0.6"},"valueType":"NUMBER"}}}"#)
        let answer = try driver.post("/changes/reapply")
        #expect(answer.status == 400 && answer.text.contains("The template has no condition &#39;beta&#39;."))
        #expect(try driver.page("/changes").text.contains("1 change to version 1."))
    }

    // MARK: JSON

    @Test("The template as JSON: what is wrong is named, and what is right becomes the draft")
    func json() throws {
        let page = try driver.page("/json")
        page.expectPage("Template as JSON")
        #expect(page.text.contains("&quot;colour&quot;") && !page.text.contains("versionNumber"))
        func send(_ json: String, draft: String = "") throws -> TestResponse {
            try driver.post("/json", [("template", json), ("draft", draft), ("base", "1")])
        }
        let unknown = try send(#"{"parameters":{"a":{"valeu":1}}}"#)
        #expect(
            unknown.status == 400 && unknown.text.contains("parameters.a.valeu")
                && unknown.text.contains("&quot;valeu&quot;"))
        #expect(try send("{").status == 400)
        let condition = try send(#"{"conditions":[{"name":"c","expression":"percent < 5"}]}"#)
        #expect(condition.text.contains("percent &lt; 5\n        ^"), "\(condition.text)")
        #expect(try send(#"{"parameters":{"a":{"defaultValue":{"value":"\u0001"}}}}"#).status == 303)
        #expect(try driver.page("/changes").text.contains("parameter a</strong>"))
        // Control characters travel as escapes.
        #expect(try driver.page("/json").text.contains("\\u0001"))
        // Another tab would replace the draft without a word.
        let stale = try send(#"{"parameters":{"b":{}}}"#)
        #expect(stale.status == 409 && stale.text.contains("&quot;b&quot;"))
        #expect(try driver.publish().status == 303)
        #expect(try driver.active().parameters?["a"]?.defaultValue == .text("\u{1}"))
    }

    @Test("Versions and the draft are files that can be put again")
    func files() throws {
        let file = try driver.page("/template.json")
        #expect(file.headers["Content-Disposition"] == "attachment; filename=\"template-1.json\"")
        #expect(try WireJSON.decode(RemoteConfigTemplate.self, from: file.body).parameters?.count == 2)
        #expect(try driver.page("/changes/template.json").status == 404)
        try driver.change("/new-parameter", ConfigDriver.parameter("size", "big"))
        let draft = try driver.page("/changes/template.json")
        try driver.service.putTemplate(draft.text)
        #expect(try driver.active().parameters?["size"]?.defaultValue == .text("big"))
    }

    @Test("A draft that is sent from elsewhere, or by a viewer, changes nothing")
    func forged() throws {
        driver.browser.origin = "https://evil.example"
        #expect(try driver.post("/new-parameter", ConfigDriver.parameter("size", "big")).status == 403)
        driver.browser.origin = "http://127.0.0.1:8080"
        #expect(try driver.page("/changes").text.contains("You have no changes."))
        #expect(try driver.browser.get(driver.root + "/changes/discard").status != 200)
    }
}

@Suite("Drafts in memory") struct TemplateDraftsTests {
    private func draft(_ value: String) throws -> TemplateDraft {
        try TemplateDraft(
            base: RemoteConfigTemplate(), etag: "e",
            template: RemoteConfigTemplate(parameters: ["a": .init(defaultValue: .text(value))]), changeCount: 1)
    }

    private func key(_ session: String, _ project: String = "p") -> TemplateDrafts.Key {
        .init(session: session, project: project, namespace: "firebase")
    }

    @Test("All drafts together have a limit; the one that was unused for the longest time makes room")
    func limit() throws {
        let drafts = TemplateDrafts(limitBytes: 25_000)
        let value = String(repeating: "x", count: 5_000)
        try drafts.keep(draft(value), for: key("a"))
        try drafts.keep(draft(value), for: key("b"))
        #expect(try drafts.draft(key("a")) != nil)
        try drafts.keep(draft(value), for: key("c"))
        #expect(try drafts.draft(key("b")) == nil && drafts.draft(key("a")) != nil && drafts.draft(key("c")) != nil)
    }

    @Test("A session has few drafts")
    func perSession() throws {
        let drafts = TemplateDrafts(limitPerSession: 2)
        for project in ["1", "2", "3"] { try drafts.keep(draft("x"), for: key("a", project)) }
        #expect(
            try drafts.draft(key("a", "1")) == nil && drafts.draft(key("a", "2")) != nil
                && drafts.draft(key("a", "3")) != nil)
    }

    @Test("Another content has another digest, and so has the same content of another version")
    func digest() throws {
        #expect(try draft("x").digest == draft("x").digest && draft("x").digest != draft("y").digest)
    }
}

@Suite("Two templates become one") struct TemplateMergeTests {
    private let base = RemoteConfigTemplate(
        conditions: ["a", "b", "c"].map { RemoteConfigCondition(name: $0, expression: "true") },
        parameters: [
            "x": RemoteConfigParameter(
                defaultValue: .text("1"), conditionalValues: ["a": .text("1a"), "b": .text("1b")]),
            "y": RemoteConfigParameter(defaultValue: .text("2")),
        ],
        parameterGroups: ["g": RemoteConfigParameterGroup(description: "d", parameters: ["z": RemoteConfigParameter()])]
    )

    private func merged(
        _ mine: (inout RemoteConfigTemplate) -> Void, _ theirs: (inout RemoteConfigTemplate) -> Void
    ) -> RemoteConfigTemplate {
        var (own, other) = (base, base)
        mine(&own)
        theirs(&other)
        return TemplateMerge.apply(own, since: base, to: other)
    }

    @Test("Each value is taken for itself")
    func values() {
        let result = merged(
            {
                $0.parameters?["x"]?.conditionalValues?["a"] = .text("mine")
                $0.parameters?["y"] = nil
                $0.parameters?["new"] = RemoteConfigParameter(defaultValue: .text("n"))
            },
            {
                $0.parameters?["x"]?.defaultValue = .text("theirs")
                $0.parameters?["x"]?.conditionalValues?["b"] = nil
                $0.parameterGroups?["g"]?.description = "theirs"
                $0.parameterGroups?["g"]?.parameters?["w"] = RemoteConfigParameter()
            })
        #expect(result.parameters?["x"]?.defaultValue == .text("theirs"))
        #expect(result.parameters?["x"]?.conditionalValues == ["a": .text("mine")])
        #expect(result.parameters?["y"] == nil && result.parameters?["new"] != nil)
        #expect(result.parameterGroups?["g"]?.description == "theirs")
        #expect(result.parameterGroups?["g"]?.parameters?.keys.sorted() == ["w", "z"])
    }

    @Test("The order is that of the draft if the draft moved something; no condition gets lost")
    func order() {
        let added = merged(
            { $0.conditions?.insert(.init(name: "m", expression: "true"), at: 3) },
            { $0.conditions?.swapAt(0, 1) })
        #expect(added.conditions?.map(\.name) == ["b", "a", "c", "m"])
        let moved = merged(
            { $0.conditions?.swapAt(1, 2) },
            {
                $0.conditions?.append(.init(name: "t", expression: "true"))
                $0.conditions?[0].expression = "false"
            })
        #expect(moved.conditions?.map(\.name) == ["a", "c", "b", "t"] && moved.conditions?[0].expression == "false")
        let removed = merged({ $0.conditions?.removeFirst() }, { $0.conditions?.removeLast() })
        #expect(removed.conditions?.map(\.name) == ["b"])
    }

    @Test("Nothing of mine: theirs as it is. Nothing of theirs: mine as it is")
    func identity() {
        func change(_ template: inout RemoteConfigTemplate) {
            template.conditions?.reverse()
            template.removeParameter("z")
            template.setParameter("x", RemoteConfigParameter(valueType: "JSON"), group: "other")
        }
        var changed = base
        change(&changed)
        #expect(merged({ _ in }, change) == changed)
        #expect(merged(change, { _ in }) == changed)
    }
}

@Suite("Commands to copy") struct ShellTextTests {
    @Test(arguments: [
        ("abc-1.0", "abc-1.0"), ("", "''"), ("a b", "'a b'"), ("it's", #"'it'\''s'"#), ("$(rm -rf /)", "'$(rm -rf /)'"),
        ("`a`;b", "'`a`;b'"),
    ])
    func word(text: String, word: String) { #expect(ShellText.quoted(text) == word) }

    @Test("A long value, and one with line breaks, comes from a file")
    func value() {
        #expect(ShellText.value(String(repeating: "x", count: 300)) == "\"$(cat value.txt)\"")
        #expect(ShellText.value("a\nb") == "\"$(cat value.txt)\"" && ShellText.value("a b") == "'a b'")
    }
}
