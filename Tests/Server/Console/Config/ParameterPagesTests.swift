import HearthCatalog
import HearthHTTP
import HearthWire
import Testing

@testable import HearthConsole
@testable import HearthManagementTestSupport

@Suite("Pages of parameters") struct ParameterPagesTests {
    private let driver: ConfigDriver

    init() throws { driver = try ConfigDriver() }

    // MARK: The list

    @Test("Before the first parameter the page tells the next step, and a viewer gets no form")
    func empty() throws {
        let page = try driver.page("")
        page.expectPage("Remote Config")
        #expect(page.text.contains("There is no parameter yet.") && page.text.contains("config/new-parameter"))
        let viewer = try ConfigDriver(.viewer, fixture: driver.fixture)
        #expect(try !viewer.page("").text.contains("new-parameter"))
        let refused = try viewer.post("/new-parameter", ConfigDriver.parameter("a", "1"))
        #expect(refused.status == 403)
        #expect(try driver.active().parameters == nil)
    }

    @Test("The list shows each parameter with its facts, and the version with author and time")
    func list() throws {
        try driver.service.putTemplate(ConfigDriver.template)
        let page = try driver.page("")
        page.expectPage("Remote Config")
        for text in [
            "colour</a>", "Of the button", "<code>red</code>", ">number<", "version 1</a>", "2027-01-15 08:00 UTC",
        ] {
            #expect(page.text.contains(text), "\(text)")
        }
    }

    @Test("Two tabs that change one parameter: the later one is told before it replaces the earlier one's change")
    func twoTabs() throws {
        try driver.service.putTemplate(ConfigDriver.template)
        let path = "/parameters/threshold"
        let shown = try #require(driver.page(path).text(between: "name=\"shown\" value=\"", "\""))
        let fields = ConfigDriver.parameter("threshold", "0.7", type: "NUMBER")
        try driver.change(path, fields.filter { $0.0 != "description" } + [("description", "first"), ("shown", shown)])
        let late = try driver.post(path, fields + [("shown", shown)])
        late.expectPage("threshold", status: 409)
        #expect(late.text.contains("got another change of this parameter") && late.text.contains("0.7"))
        #expect(try driver.page("/changes").text.contains("first"))
        let told = try #require(late.text(between: "name=\"shown\" value=\"", "\""))
        try driver.change(path, fields + [("shown", told)])
        #expect(try !driver.page("/changes").text.contains("first"))
    }

    @Test("A filter is in the address, is shown again, and holds on the next page")
    func filter() throws {
        let parameters = (0..<120).map { #""even_\#($0)":{"defaultValue":{"value":"x"}},"odd_\#($0)":{}"# }
        try driver.service.putTemplate(#"{"parameters":{\#(parameters.joined(separator: ","))}}"#)
        let first = try driver.page("?q=EVEN")
        first.expectPage("Remote Config")
        #expect(first.text.contains("1 to 100 of 120 parameters.") && first.text.contains("value=\"EVEN\""))
        #expect(!first.text.contains(">odd_1<"))
        #expect(first.text.contains("config?q=EVEN&amp;page=2"))
        let second = try driver.page("?q=EVEN&page=2")
        #expect(second.text.contains("101 to 120 of 120 parameters."))
        #expect(try driver.page("?q=nothing").text.contains("No parameter is like that."))
    }

    @Test("Hostile names and texts stay text")
    func hostile() throws {
        let evil = #"</title><script>alert(1)</script>\"'><img src=x onerror=y>\u0001"#
        try driver.service.putTemplate(
            #"""
            {"conditions":[{"name":"..","expression":"true"},{"name":"a 'b' %.","expression":"true"}],
            "parameterGroups":{"\#(evil)\n":{"description":"\#(evil)","parameters":{"p":{"description":"\#(evil)",
            "defaultValue":{"value":"\#(evil)"},"conditionalValues":{"..":{"value":"\#(evil)"},
            "a 'b' %.":{"rolloutValue":{"rolloutId":"\#(evil)","value":"\#(evil)","percent":5}}}}}}},
            "version":{"description":"\#(evil)"}}
            """#)
        for path in [
            "", "?q=%3Cscript%3E", "/parameters/p", "/conditions", "/condition?name=..",
            "/condition?name=a%20%27b%27%20%25.",
            "/versions", "/versions/1", "/json", "/device?of=active", "/compare?from=1&to=1", "/versions/1/rollback",
        ] {
            let page = try driver.page(path)
            #expect(page.status == 200, "\(path)")
            for text in ["<script>a", "<img src=x", "\u{1}"] { #expect(!page.text.contains(text), "\(path)") }
            if let heading = page.heading { page.expectPage(heading) }
        }
    }

    // MARK: One parameter

    @Test("A new parameter is shown before it is published, and then is there")
    func new() throws {
        let form = try driver.page("/new-parameter")
        form.expectPage("New parameter")
        try driver.change("/new-parameter", ConfigDriver.parameter("welcome", "Hi", newGroup: "Texts"))
        #expect(try driver.active().parameterGroups == nil)
        let changes = try driver.page("/changes")
        changes.expectPage("Changes before publishing")
        #expect(changes.text.contains("parameter welcome</strong>") && changes.text.contains("<code>Hi</code>"))
        #expect(try driver.page("").text.contains("You see your draft: 3 changes not published yet."))
        #expect(try driver.publish("first").status == 303)
        let active = try driver.active()
        #expect(active.parameterGroups?["Texts"]?.parameters?["welcome"]?.defaultValue == .text("Hi"))
        #expect(active.version?.description == "first" && active.version?.updateOrigin == "CONSOLE")
        #expect(try !driver.page("").text.contains("your draft"))
    }

    @Test("A value of another type is refused with its reason, and the form keeps what was filled in")
    func refused() throws {
        let answer = try driver.post("/new-parameter", ConfigDriver.parameter("limit", "<many>", type: "NUMBER"))
        answer.expectPage("New parameter", status: 400)
        #expect(
            answer.text.contains("parameters.limit.defaultValue") && answer.text.contains("The value is not a NUMBER"))
        #expect(answer.text.contains("value=\"limit\"") && answer.text.contains("\n&lt;many&gt;</textarea>"))
        #expect(answer.text.contains("<option value=\"NUMBER\" selected>"))
        #expect(answer.text.ranges(of: "aria-invalid").count == 1)
        #expect(try driver.page("/changes").text.contains("You have no changes."))
    }

    @Test("A value that would be lost in silence is refused at its field")
    func lostValue() throws {
        try driver.service.putTemplate(ConfigDriver.template)
        let fields = ConfigDriver.parameter("threshold", "0.6", type: "NUMBER")
        let cases: [([(String, String)], String)] = [
            (
                [("add-condition", ""), ("add-kind", "text"), ("add", "0.9")],
                "Choose the condition that the value is for"
            ),
            (
                [("add-condition", ""), ("add-kind", "inAppDefault"), ("add", "")],
                "Choose the condition that the value"
            ),
            ([("add-condition", "beta"), ("add-kind", "inAppDefault"), ("add", "0.9")], "You typed a value and chose"),
        ]
        for (more, text) in cases {
            let answer = try driver.post("/parameters/threshold", fields + more)
            answer.expectPage("threshold", status: 400)
            #expect(answer.text.ranges(of: text).count == 2, "\(answer.text)")
            #expect(answer.text.contains("aria-invalid=\"true\"") && answer.text.contains("<details open>"))
            #expect(
                answer.text.contains(">0.9</textarea>") || more[2].1.isEmpty || answer.text.contains("\n0.9</textarea>")
            )
        }
        let typed = [("key", "threshold"), ("type", "NUMBER"), ("default-kind", "inAppDefault"), ("default", "0.7")]
        #expect(try driver.post("/parameters/threshold", typed).status == 400)
        // The stored text may stay in its field.
        let kept = [("key", "threshold"), ("type", "NUMBER"), ("default-kind", "inAppDefault"), ("default", "0.6")]
        #expect(try driver.post("/parameters/threshold", kept).status == 303)
    }

    @Test("A key that is taken is refused: the form never replaces another parameter")
    func taken() throws {
        try driver.service.putTemplate(ConfigDriver.template)
        #expect(try driver.post("/new-parameter", ConfigDriver.parameter("colour", "x")).status == 409)
        let renamed = try driver.post("/parameters/threshold", ConfigDriver.parameter("colour", "x"))
        #expect(renamed.status == 409 && renamed.text.contains("There is a parameter &#39;colour&#39; already."))
    }

    @Test("Values for conditions are added, changed and removed, and the parameter renamed")
    func conditionalValues() throws {
        try driver.service.putTemplate(ConfigDriver.template)
        let form = try driver.page("/parameters/colour")
        form.expectPage("colour")
        #expect(form.text.contains("If ‘swiss’") && form.text.contains("<option value=\"beta\">beta</option>"))
        #expect(form.text.contains("hearth remoteconfig set colour white --condition swiss"))
        let fields = ConfigDriver.parameter("colour", "red")
        try driver.change(
            "/parameters/colour",
            fields + [
                ("condition-0", "swiss"), ("value-0-kind", "inAppDefault"), ("value-0", "white"),
                ("add-condition", "beta"), ("add-kind", "text"), ("add", "blue"),
            ])
        #expect(try driver.publish().status == 303)
        #expect(
            try driver.active().parameters?["colour"]?.conditionalValues == [
                "swiss": .inAppDefault, "beta": .text("blue"),
            ])
        try driver.change(
            "/parameters/colour",
            ConfigDriver.parameter("tint", "red") + [
                ("condition-0", "swiss"), ("value-0-kind", "remove"), ("condition-1", "beta"), ("value-1-kind", "text"),
                ("value-1", "blue"),
            ])
        #expect(try driver.publish().status == 303)
        let active = try driver.active()
        #expect(
            active.parameters?["colour"] == nil
                && active.parameters?["tint"]?.conditionalValues == ["beta": .text("blue")])
        try driver.change("/parameters/tint/delete")
        #expect(try driver.publish().status == 303)
        #expect(try driver.active().parameters?["tint"] == nil)
    }

    @Test("What a form cannot show exactly stays exactly as it is")
    func unchanged() throws {
        let long = String(repeating: "x", count: 50_000)
        try driver.service.putTemplate(
            #"{"conditions":[{"name":"c","expression":"true"}],"parameters":{"p":{"defaultValue":{"value":"a\r\nb\u0007"},"conditionalValues":{"c":{"value":"\#(long)"}}},"r":{"conditionalValues":{"c":{"rolloutValue":{"rolloutId":"r1","value":"v","percent":5}}}}}}"#
        )
        let page = try driver.page("/parameters/p")
        #expect(page.body.count < 20_000 && page.text.contains("Edit the whole value"))
        #expect(page.text.contains("It has control characters"))
        #expect(try driver.page("/parameters/p?whole=value-0").text.contains("\n\(long)</textarea>"))
        let whole = try driver.page("/parameters/p/value?condition=c")
        #expect(whole.text == long && whole.headers["Content-Type"] == "text/plain; charset=utf-8")
        // As a browser sends it: with CR LF, and with what the page shows in place of the control character.
        try driver.change(
            "/parameters/p",
            ConfigDriver.parameter("p", "a\r\nb\u{FFFD}") + [("condition-0", "c"), ("value-0-kind", "text")])
        #expect(try driver.page("/changes").text.contains("You have no changes."))
        try driver.change(
            "/parameters/r",
            [
                ("key", "r"), ("description", "new"), ("type", "STRING"), ("default-kind", "inAppDefault"),
                ("default", ""),
                ("condition-0", "c"), ("value-0-kind", "keep"), ("value-0", ""),
            ])
        #expect(try driver.publish().status == 303)
        let active = try driver.active()
        #expect(active.parameters?["p"]?.defaultValue == .text("a\r\nb\u{7}"))
        #expect(active.parameters?["p"]?.conditionalValues == ["c": .text(long)])
        #expect(active.parameters?["r"]?.description == "new" && active.parameters?["r"]?.defaultValue == nil)
        #expect(
            active.parameters?["r"]?.conditionalValues == [
                "c": .rollout(.init(rolloutId: "r1", value: "v", percent: 5))
            ])
    }

    @Test("A parameter that is not there says so")
    func missing() throws {
        let page = try driver.page("/parameters/nothing")
        #expect(page.status == 404 && page.text.contains("There is no parameter &#39;nothing&#39; in the template."))
        #expect(try driver.page("/parameters/nothing/value").status == 404)
    }

    @Test("A viewer reads the values and cannot change them")
    func viewer() throws {
        try driver.service.putTemplate(ConfigDriver.template)
        let viewer = try ConfigDriver(.viewer, fixture: driver.fixture)
        let page = try viewer.page("/parameters/colour")
        page.expectPage("colour")
        #expect(page.text.contains("<code>white</code>") && page.text.contains("<code>red</code>"))
        #expect(!page.text.contains("<textarea") && !page.text.contains("Delete"))
        #expect(try viewer.post("/parameters/colour/delete").status == 403)
    }

    @Test("The template for servers has the same pages, and is another one")
    func servers() throws {
        let servers = try ConfigDriver(fixture: driver.fixture, namespace: "server-config")
        try servers.page("").expectPage("Remote Config for servers")
        try servers.change("/new-parameter", ConfigDriver.parameter("batch", "16", type: "NUMBER"))
        #expect(try servers.page("/changes").text.contains("--namespace firebase-server"))
        #expect(try servers.publish().status == 303)
        #expect(try driver.active(namespace: "firebase-server").parameters?["batch"]?.defaultValue == .text("16"))
        #expect(try driver.active().parameters == nil)
    }
}
