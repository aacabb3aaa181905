import HearthTestSupport
import Testing

@testable import HearthStorageS3

@Suite("Answers in XML") struct XMLElementTests {
    private func read(_ text: String) -> XMLElement? { XMLElement(document: Array(text.utf8)) }

    @Test("Names without namespace, text with its references, children in order")
    func document() throws {
        let root = try #require(
            read(
                """

                <?xml version="1.0" encoding="UTF-8"?>
                <!-- a list -->
                <s3:List xmlns:s3='http://x/'><Key a="&gt;" b='>'>a&amp;b &#65;&#x1F600; é</Key><Empty/><Key><![CDATA[<x>&]]></Key>
                <Size >3</Size ><!-- end --></s3:List>

                """))
        #expect(root.name == "List" && root.children.map(\.name) == ["Key", "Empty", "Key", "Size"])
        #expect(root.all("Key").map(\.text) == ["a&b A😀 é", "<x>&"])
        #expect(root["Size"] == "3" && root["Empty"] == "" && root["None"] == nil)
    }

    @Test(
        "What is not well-formed is refused as a whole",
        arguments: [
            "", "hello", "<a>", "<a></b>", "<a/><b/>", "<a/>x", "<a b></a>", "<a b=c/>", "<a b=\"c/>", "<a>&nbsp;</a>",
            "<a>&#0;</a>", "<a>&#xD800;</a>", "<a>&amp</a>", "<a>&", "<a><![CDATA[x</a>", "<a><!-- x</a>", "<?xml <a/>",
            "<!DOCTYPE a><a/>", "<a", "< a/>", "<a><", "</a>", "{\"a\":1}",
            "<!DOCTYPE a [<!ENTITY x SYSTEM \"file:///etc/passwd\">]><a>&x;</a>",
            "<!DOCTYPE a [<!ENTITY x \"ha\"><!ENTITY y \"&x;&x;&x;\">]><a>&y;</a>",
        ])
    func malformed(text: String) { #expect(read(text) == nil) }

    @Test("Depth, number and size are limited")
    func limits() {
        func nested(_ depth: Int) -> String {
            String(repeating: "<a>", count: depth) + String(repeating: "</a>", count: depth)
        }
        #expect(read(nested(XMLElement.limitDepth)) != nil)
        #expect(read(nested(XMLElement.limitDepth + 1)) == nil)
        #expect(read(nested(100_000)) == nil)
        func wide(_ count: Int) -> String { "<r>" + String(repeating: "<a/>", count: count - 1) + "</r>" }
        #expect(read(wide(XMLElement.limitElements)) != nil)
        #expect(read(wide(XMLElement.limitElements + 1)) == nil)
        #expect(read("<a>" + String(repeating: " ", count: XMLElement.limitBytes) + "</a>") == nil)
        #expect(XMLElement(document: [0x3C, 0x61, 0x3E, 0xFF, 0x3C, 0x2F, 0x61, 0x3E]) == nil, "not UTF-8")
    }

    @Test("Whatever is cut or changed, the reader ends")
    func damaged() {
        let whole = Array("<?xml version=\"1.0\"?><a x=\"1\"><b>t&amp;u</b><!-- c --><c/><![CDATA[d]]></a>".utf8)
        for count in 0..<whole.count { #expect(XMLElement(document: Array(whole.prefix(count))) == nil) }
        var random = SeededGenerator(seed: 5)
        for _ in 0..<2_000 {
            var bytes = whole
            for _ in 0..<3 {
                bytes[Int.random(in: 0..<bytes.count, using: &random)] = .random(in: 0...255, using: &random)
            }
            _ = XMLElement(document: bytes)
        }
    }

    @Test("Times in lists")
    func times() {
        #expect(ISOTime.seconds("2013-05-24T00:00:00.000Z") == 1_369_353_600)
        #expect(ISOTime.seconds("2013-05-24T00:00:01Z") == 1_369_353_601)
        for text in ["", "2013-05-24", "2013-05-24 00:00:00Z", "2013-13-24T00:00:00Z", "x013-05-24T00:00:00Z"] {
            #expect(ISOTime.seconds(text) == nil)
        }
    }
}
