import Testing

@testable import HearthConsole

@Suite("HTML") struct MarkupTests {
    /// Texts with all that means something to a browser, in random order.
    private static func hostile(_ random: inout some RandomNumberGenerator) -> String {
        let pieces = [
            "<", ">", "\"", "'", "&", "`", "=", "/", "\\", "<script>", "</script>", "-->", "<!--", "]]>", "&lt;",
            "&#60",
            "javascript:", " onload=", "\u{0}", "\u{8}", "\u{1B}", "\u{7F}", "\n", "\r", "\t", "é", "\u{202E}", "😀",
            "a",
        ]
        return (0..<Int.random(in: 0...20, using: &random)).map { _ in pieces.randomElement(using: &random) ?? "" }
            .joined()
    }

    /// What a browser makes of escaped text; nil if it is not text.
    private static func read(_ html: Substring) -> String? {
        guard !html.contains(where: { "<>\"'".contains($0) }) else { return nil }
        var text = String(html)
        let names = [("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&#39;", "'"), ("&amp;", "&")]
        guard text.ranges(of: "&").count == names.map({ text.ranges(of: $0.0).count }).reduce(0, +) else { return nil }
        for (name, character) in names { text = text.replacing(name, with: character) }
        return text
    }

    /// Control characters, which no page shows, look like this.
    private static func shown(_ text: String) -> String {
        String(
            String.UnicodeScalarView(
                text.unicodeScalars.map { scalar in
                    let isKept = ["\t", "\n", "\r"].contains(scalar) || scalar.value >= 0x20 && scalar.value != 0x7F
                    return isKept ? scalar : "\u{FFFD}"
                }))
    }

    private struct Generator: RandomNumberGenerator {
        var state: UInt64
        mutating func next() -> UInt64 {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return state ^ state >> 29
        }
    }

    @Test("No text adds markup, in content or in an attribute", arguments: 0..<20 as Range<UInt64>)
    func escaping(seed: UInt64) throws {
        var random = Generator(state: seed)
        for _ in 0..<200 {
            let text = Self.hostile(&random)
            let html = p(.class(text), Attribute("data-x", text)) { text }.html
            let parts = html.split(separator: "\"", omittingEmptySubsequences: false)
            try #require(parts.count == 5, "\(html)")
            #expect(parts[0] == "<p class=" && parts[2] == " data-x=")
            #expect(Self.read(parts[1]) == Self.shown(text) && Self.read(parts[3]) == Self.shown(text))
            let content = parts[4].dropFirst().dropLast("</p>".count)
            #expect(parts[4].hasPrefix(">") && parts[4].hasSuffix("</p>"))
            #expect(Self.read(content) == Self.shown(text), "\(html)")
        }
    }

    @Test("Texts of all kinds of children are escaped")
    func children() {
        let name = "<b>&\"'"
        let escaped = "&lt;b&gt;&amp;&quot;&#39;"
        #expect(Markup.text(name).html == escaped)
        #expect(Markup.joined { name }.html == escaped)
        #expect(option(name, name).html == "<option value=\"\(escaped)\">\(escaped)</option>")
        #expect(textarea(.name("x"), text: name).html == "<textarea name=\"x\">\n\(escaped)</textarea>")
        #expect(label(for: name) { name }.html == "<label for=\"\(escaped)\">\(escaped)</label>")
        let table = DataTable(name, [name]).rows([name]) { [.text($0)] }.html
        #expect(table.ranges(of: escaped).count == 4 && !table.contains(name))
        let document = Frame.document(
            title: name, site: Site(prefix: ""), scripts: [], formToken: name, body: .text(name)
        ).html
        #expect(document.ranges(of: escaped).count == 3 && !document.contains(name))
    }

    @Test("A text area keeps a line break at its beginning")
    func firstLine() {
        #expect(textarea(.name("x"), text: "\na").html == "<textarea name=\"x\">\n\na</textarea>")
    }

    @Test("An address cannot be a text, and an attribute cannot be a script")
    func traps() async {
        await #expect(processExitsWith: .failure) { _ = Attribute("href", "javascript:alert(1)") }
        await #expect(processExitsWith: .failure) { _ = Attribute("onclick", "alert(1)") }
        await #expect(processExitsWith: .failure) { _ = Attribute("style", "color: red") }
        await #expect(processExitsWith: .failure) { _ = Attribute("formaction", "//evil.example") }
    }
}
