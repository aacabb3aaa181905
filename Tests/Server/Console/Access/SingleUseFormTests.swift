import HearthHTTP
import HearthManagement
import HearthWire
import Testing

@testable import HearthConsole
@testable import HearthManagementTestSupport

@Suite("Forms that show a secret once") struct SingleUseFormTests {
    private static let keys = "projects/project-a/keys"
    private let fixture: ConsoleFixture
    private let browser: Browser

    init() throws {
        fixture = try ConsoleFixture()
        browser = try fixture.browser()
    }

    @Test(
        "Whoever reloads the page of a new secret does not make another one",
        arguments: [
            (page: "/tokens/new", form: "/tokens/new", fields: [("name", "ci"), ("role", "viewer"), ("days", "1")]),
            ("/accounts/new", "/accounts/new", [("name", "ci"), ("role", "viewer")]),
            ("/apps/new", "/apps/new", [("name", "App"), ("platform", "ios")]),
        ])
    func reload(page: String, form: String, fields: [(String, String)]) throws {
        let id = try formID(Self.keys + page)
        let made = try browser.post(Self.keys + form, fields + [(SingleUseForms.field, id)])
        #expect(made.status == 200 && made.text.contains("The server shows this only now."), "\(made.text)")
        let rows = try browser.get(Self.keys).text.ranges(of: "</tr>").count
        let again = try browser.post(Self.keys + form, fields + [(SingleUseForms.field, id)])
        again.expectPage("Not done", status: 409)
        #expect(again.text.contains("This form was sent before"))
        #expect(try browser.get(Self.keys).text.ranges(of: "</tr>").count == rows)
        // The form itself makes another one.
        #expect(try formID(Self.keys + page) != id)
    }

    @Test("A form that was refused can be sent again")
    func refused() throws {
        let fields = [("name", ""), ("role", "viewer"), ("days", "1")]
        let form = Self.keys + "/tokens/new"
        let refused = try browser.post(form, fields + [(SingleUseForms.field, try formID(form))])
        #expect(refused.status == 400)
        let id = try #require(refused.text(between: "name=\"form-id\" value=\"", "\""))
        let made = try browser.post(
            form, [("name", "ci"), ("role", "viewer"), ("days", "1"), (SingleUseForms.field, id)])
        #expect(made.status == 200)
    }

    @Test("A form without a page of its own that was refused can be sent again from the page before")
    func refusedWithoutPage() throws {
        let link = "projects/project-a/experiments/none/link"
        for _ in 1...2 {
            let refused = try browser.post(link, [(SingleUseForms.field, "one")])
            #expect(refused.status == 404 && !refused.text.contains("This form was sent before"))
        }
    }

    @Test("The oldest forms are forgotten first")
    func limit() throws {
        let forms = SingleUseForms()
        for number in 0..<10_000 { #expect(try forms.take("\(number)", session: "s")) }
        #expect(try !forms.take("0", session: "s") && !forms.take("9999", session: "s"))
        #expect(
            try forms.take("10000", session: "s") && forms.take("0", session: "s") && !forms.take("10000", session: "s")
                && !forms.take("9999", session: "s"))
    }

    private func formID(_ page: String) throws -> String {
        try #require(browser.get(page).text(between: "name=\"form-id\" value=\"", "\""))
    }
}
