import HearthHTTP
import Testing

@testable import HearthConsole
@testable import HearthManagementTestSupport

@Suite("A template that is not JSON") struct JSONFaultPageTests {
    @Test("The page names the line and the column, and shows the line")
    func place() throws {
        let driver = try ConfigDriver()
        let text = "{\r\n  \"parameters\": {\r\n    \"a\": {\"defaultValue\": {\"value\": \"<é>\" \"x\"}}\r\n  }\r\n}"
        let page = try driver.post("/json", [("template", text), ("base", "0"), ("draft", "")])
        #expect(page.status == 400)
        #expect(page.text.contains("in JSON: line 3, column 43: a comma or } is missing."), "\(page.text)")
        let shown = page.text(between: "id=\"json-fault\">", "</pre>")
        #expect(shown?.contains("&lt;é&gt;&quot; &quot;x&quot;}}") == true, "\(shown ?? "none")")
        let loose = try driver.post("/json", [("template", #"{"parameters":{},}"#), ("base", "0"), ("draft", "")])
        #expect(loose.status == 400 && loose.text.contains("in JSON: line 1, column 18: a comma stands before }."))
        let sound = try driver.post("/json", [("template", #"{"parameters":{}}"#), ("base", "0"), ("draft", "")])
        #expect(sound.status == 303 && !sound.text.contains("json-fault"))
    }
}
