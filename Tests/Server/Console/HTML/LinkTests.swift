import Testing

@testable import HearthConsole

@Suite("Links") struct LinkTests {
    private let site = Site(prefix: "")

    @Test(
        "A segment stays one segment, whatever it contains",
        arguments: [
            ("a/b", "a%2Fb"), ("//evil.example", "%2F%2Fevil.example"),
            ("javascript:alert(1)", "javascript%3Aalert%281%29"),
            ("a?b=c#d", "a%3Fb%3Dc%23d"), ("\\evil", "%5Cevil"), ("<\"'&", "%3C%22%27%26"), ("é", "%C3%A9"),
            ("a b\r\n", "a%20b%0D%0A"), ("%2f", "%252f"), ("~a-b_c.d", "~a-b_c.d"),
        ])
    func segments(text: String, encoded: String) {
        #expect(site.link("models", text).text == "/console/models/\(encoded)")
    }

    @Test(
        "A name that a browser would take for a folder keeps its segment, and the route gets the name",
        arguments: [
            (".", "~."), ("..", "~.."), ("~.", "~~."), ("~~..", "~~~.."), ("...", "..."), (".a", ".a"), ("~a", "~a"),
            ("~", "~"),
        ])
    func dots(name: String, segment: String) {
        #expect(site.link("models", name, "x").text == "/console/models/\(segment)/x")
        #expect(URLText.withoutDotGuard(segment) == name)
    }

    @Test("Queries add up, and the fragment stays at the end")
    func queries() {
        let link = site.link("a").with([("q", "x&y=z"), ("p", "")])
        #expect(link.text == "/console/a?q=x%26y%3Dz&p=")
        #expect(link.done(.saved).text == "/console/a?q=x%26y%3Dz&p=&done=saved")
        #expect(site.link("a").with(fragment: "b c").with([("d", "e")]).text == "/console/a?d=e#b%20c")
        #expect(Link.fragment("main").text == "#main")
        #expect(site.link("a").with([]).text == "/console/a")
    }

    @Test("The proxy's path comes first")
    func prefix() {
        #expect(Site(prefix: "/hearth").link("a").text == "/hearth/console/a")
        #expect(Site(prefix: "/hearth").link("").text == "/hearth/console/")
    }

    @Test("Forms are read as browsers write them")
    func forms() throws {
        let fields = try #require(URLText.decodeForm(Array("a=1+2&b=%26%3D%C3%A9&a=&c".utf8)))
        #expect(fields.map(\.name) == ["a", "b", "a", "c"] && fields.map(\.value) == ["1 2", "&=é", "", ""])
        for text in ["a=%", "a=%2", "a=%zz", "a=%FF", "%C3=a"] { #expect(URLText.decodeForm(Array(text.utf8)) == nil) }
        for text in ["", "a b", "=&%+\n", "\u{0}é😀"] {
            #expect(URLText.decodeForm(Array("x=\(URLText.encode(text))".utf8))?.first?.value == text)
        }
    }

    @Test(
        "A word is one word for a shell, on one line",
        arguments: [
            ("flowers", "flowers"), ("a b", "'a b'"), ("it's", "'it'\\''s'"), ("$(rm)", "'$(rm)'"), ("", "''"),
            ("a\nrm -rf", "'a rm -rf'"), ("`x`", "'`x`'"), ("a;b", "'a;b'"), ("!x", "'!x'"), ("~", "'~'"),
            ("a@b.c", "a@b.c"), ("é", "'é'"),
        ])
    func shell(word: String, quoted: String) {
        #expect(ShellText.quoted(word) == quoted)
    }
}
