import HearthCatalog
import HearthHTTP
import HearthWire
import Testing

@testable import HearthConsole
@testable import HearthManagementTestSupport

@Suite("Pages of conditions") struct ConditionPagesTests {
    private let driver: ConfigDriver

    init() throws { driver = try ConfigDriver() }

    @Test("The list shows the order, the colour and who uses a condition; without conditions, the next step")
    func list() throws {
        #expect(try driver.page("/conditions").text.contains("Make the first condition"))
        try driver.service.putTemplate(ConfigDriver.template)
        let page = try driver.page("/conditions")
        page.expectPage("Conditions")
        #expect(page.text.contains("device.country in [&#39;CH&#39;]") && page.text.contains("swatch-blue"))
        #expect(page.text.contains("config/parameters/colour\">colour</a>") && page.text.contains("no parameter"))
        #expect(page.text.contains("aria-label=\"Move ‘beta’ up\""))
        let viewer = try ConfigDriver(.viewer, fixture: driver.fixture).page("/conditions")
        viewer.expectPage("Conditions")
        #expect(!viewer.text.contains("conditions/move") && !viewer.text.contains("new-condition"))
    }

    @Test("Buttons move a condition, the focus stays on it, and the order is published")
    func order() throws {
        try driver.service.putTemplate(ConfigDriver.template)
        let moved = try driver.post("/conditions/move", [("name", "beta"), ("to", "up")])
        #expect(moved.status == 303)
        // At the top only the button down is left.
        #expect(moved.headers["Location"] == "/console/\(ConfigDriver.root)/conditions#down-0")
        let changes = try driver.page("/changes")
        changes.expectPage("Changes before publishing")
        #expect(changes.text.contains("The new order: ‘beta’, ‘swiss’."))
        #expect(try driver.publish().status == 303)
        #expect(try driver.active().conditions?.map(\.name) == ["beta", "swiss"])
        // Back again is no change.
        try driver.change("/conditions/move", [("name", "beta"), ("to", "down")])
        try driver.change("/conditions/move", [("name", "beta"), ("to", "up")])
        #expect(try driver.page("/changes").text.contains("You have no changes."))
        #expect(try driver.post("/conditions/move", [("name", "gone"), ("to", "up")]).status == 404)
    }

    @Test("An invalid expression is marked at its column, and the field points to the mark")
    func mark() throws {
        let answer = try driver.post(
            "/new-condition", [("name", "c"), ("expression", "percent('a') <\r\n 10"), ("color", "TEAL")])
        answer.expectPage("New condition", status: 400)
        #expect(answer.text.contains("percent(&#39;a&#39;) &lt;  10\n             ^\n"), "\(answer.text)")
        #expect(answer.text.contains("aria-describedby=\"expression-error expression-hint\" aria-invalid=\"true\""))
        #expect(
            answer.text.contains("<pre id=\"expression-error\"")
                && answer.text.contains("<option value=\"TEAL\" selected>"))
    }

    @Test("Of a long expression the mark shows the part around the column")
    func longMark() {
        let expression = String(repeating: "a", count: 500) + "!" + String(repeating: "b", count: 500)
        let lines = ConditionMark.text(expression, column: 501).split(separator: "\n")
        #expect(lines[0].count == 142 && lines[0].hasPrefix("…a") && lines[0].hasSuffix("b…"))
        #expect(lines[1].count == 72 && Array(lines[0])[lines[1].count - 1] == "!")
        #expect(ConditionMark.text("ab", column: 9) == "ab\n  ^")
    }

    @Test("A condition is made, changed, renamed with its values, and deleted with them")
    func life() throws {
        try driver.service.putTemplate(ConfigDriver.template)
        try driver.change("/new-condition", [("name", "new"), ("expression", "true"), ("color", "")])
        try driver.page("/condition?name=swiss").expectPage("swiss")
        try driver.change(
            "/condition",
            [
                ("condition", "swiss"), ("name", "the swiss"), ("expression", "device.country in ['CH']"),
                ("color", "PINK"),
            ])
        #expect(try driver.publish().status == 303)
        let active = try driver.active()
        #expect(
            active.conditions?.map(\.name) == ["the swiss", "beta", "new"] && active.conditions?[0].tagColor == "PINK")
        #expect(active.parameters?["colour"]?.conditionalValues == ["the swiss": .text("white")])

        let page = try driver.page("/condition?name=the%20swiss")
        #expect(page.text.contains("1 parameter loses its value for it: colour."))
        try driver.change("/condition/delete", [("condition", "the swiss")])
        #expect(try driver.page("/changes").text.contains("parameter colour if &#39;the swiss&#39;"))
        #expect(try driver.publish().status == 303)
        #expect(try driver.active().conditions?.map(\.name) == ["beta", "new"])
        #expect(try driver.active().parameters?["colour"]?.conditionalValues == nil)
    }

    @Test("A name that is taken, or that is gone, is refused")
    func names() throws {
        try driver.service.putTemplate(ConfigDriver.template)
        #expect(try driver.post("/new-condition", [("name", "beta"), ("expression", "true")]).status == 409)
        let renamed = [("condition", "beta"), ("name", "swiss"), ("expression", "true")]
        #expect(try driver.post("/condition", renamed).status == 409)
        #expect(
            try driver.post("/condition", [("condition", "gone"), ("name", "x"), ("expression", "true")]).status == 404)
        #expect(try driver.page("/condition?name=gone").status == 404)
    }

    @Test("Rows make the terms of an expression, without script, and keep what it says already")
    func builder() throws {
        let rows = [
            ("name", "c"), ("expression", "app.id == 'a'"), ("color", "PINK"), ("do", "build"), ("b-os", "other"),
            ("b-version-is", "<"), ("b-version", "2.10"), ("b-country", "ch, AT"), ("b-language", "de"),
            ("b-percent", "12,5"), ("b-seed", "s"), ("b-signal", "it's"), ("b-signal-is", "contains"),
            ("b-signal-value", "x"),
        ]
        let page = try driver.post("/new-condition", rows)
        page.expectPage("New condition")
        let expression =
            #"app.id == 'a' && device.os != 'ios' && device.os != 'android' && app.version.<(['2.10']) && "#
            + #"device.country in ['CH', 'AT'] && device.language in ['de'] && percent('s') <= 12.5 && "#
            + #"app.customSignal['it\'s'].contains(['x'])"#
        #expect(page.text.contains(Markup.text(expression).html + "</textarea>"), "\(page.text)")
        #expect(page.text.contains("value=\"c\"") && page.text.contains("<option value=\"PINK\" selected>"))
        #expect(!page.text.contains("value=\"2.10\""))
        #expect(try driver.page("/changes").text.contains("You have no changes."))
        // The server understands it.
        try driver.change("/new-condition", [("name", "c"), ("expression", expression), ("color", "")])
    }

    @Test("A row that is not complete is refused at its field, and nothing is added")
    func builderRefusals() throws {
        let cases: [([(String, String)], String)] = [
            ([("b-country", "Switzerland")], "not a country"), ([("b-version", "two")], "A version is numbers"),
            ([("b-percent", "101")], "A percentage is 0 to 100"), ([("b-seed", "s")], "A seed alone draws nothing"),
            ([("b-percent", "1"), ("b-seed", "a b")], "A seed has at most 32"),
            ([("b-signal", "k")], "Give the value of the signal"), ([("b-signal-value", "v")], "Which signal has this"),
            ([("b-language", "german!")], "not a language"),
        ]
        for (rows, text) in cases {
            let page = try driver.post(
                "/new-condition", [("name", "c"), ("expression", "true"), ("do", "build")] + rows)
            page.expectPage("New condition", status: 400)
            #expect(page.text.contains(text) && page.text.contains("aria-invalid=\"true\""), "\(text)")
            #expect(page.text.contains("\ntrue</textarea>") && page.text.contains("value=\"\(rows[0].1)\""))
        }
        #expect(try driver.post("/new-condition", [("do", "build")]).text.contains("Fill in a row"))
        let lost = try driver.post(
            "/new-condition", [("name", "c"), ("expression", "true"), ("b-language", "de"), ("b-version-is", ">=")])
        lost.expectPage("New condition", status: 400)
        #expect(lost.text.contains("This row is not part of the expression yet") && lost.text.contains("value=\"de\""))
    }

    @Test("For servers the rows are those that servers evaluate")
    func builderForServers() throws {
        let servers = try ConfigDriver(fixture: driver.fixture, namespace: "server-config")
        let page = try servers.page("/new-condition")
        #expect(page.text.contains("name=\"b-percent\"") && !page.text.contains("name=\"b-country\""))
        let built = try servers.post(
            "/new-condition",
            [("name", "c"), ("expression", ""), ("do", "build"), ("b-country", "CH"), ("b-percent", "5")])
        #expect(built.text.contains("\npercent &lt;= 5</textarea>"))
    }

    @Test("A name that no path could have")
    func dots() throws {
        try driver.service.putTemplate(#"{"conditions":[{"name":"..","expression":"true"}]}"#)
        #expect(try driver.page("/conditions").text.contains("config/condition?name=..\""))
        try driver.page("/condition?name=..").expectPage("..")
    }
}
