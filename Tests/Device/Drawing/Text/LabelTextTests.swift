import HearthImaging
import Testing

@testable import HearthDrawing

@Suite("Labels that nobody can trust", .enabled(if: TestFont.isInstalled, "no font is installed"))
struct LabelTextTests {
    static let texts = [
        "\0", "\u{1B}[31mred\u{1B}[0m", "one\ntwo\r\nthree\ttabs", "👩‍👩‍👧🇩🇪😀", "日本語のラベル", "שלום", "مرحبا",
        "\u{202E}desrever\u{202C}", "\u{FEFF}\u{200B}\u{200D}", "e" + String(repeating: "\u{301}", count: 5_000),
        String(repeating: "x", count: 10_000), String(repeating: "\u{1F468}\u{200D}", count: 5_000), "\u{FFFD}\u{FFFF}",
        String(decoding: [0xFF, 0xC0, 0x80, 0xED, 0xA0, 0x80], as: UTF8.self), "\u{10FFFF}\u{E000}", " ", "%s%n%@\\(x)",
    ]

    @Test("text stays inside its plate's rows and inside the image", arguments: texts)
    func drawn(text: String) throws {
        let image = try TestImage.plain(300, 200)
        let drawn = try AnnotationRenderer().draw(
            [BoxAnnotation(100, 80, 100, 60, text, confidence: 0.5)], on: image
        ).pixels
        let changed = try #require(drawn.extent { $0 != TestImage.gray })
        #expect(changed.top >= 60 && changed.bottom <= 142)
        #expect(drawn.color(150, 110) == TestImage.gray)
    }

    @Test("what has no shape is dropped, what breaks lines becomes a space")
    func visible() {
        func visible(_ text: String) -> String {
            String(String.UnicodeScalarView(LabelText.visible(text)))
        }
        #expect(visible("  one\n\ttwo\u{0}\u{202E}\u{200D}! ") == "one two!")
        #expect(visible("cafe\u{301}") == "caf\u{E9}")
        #expect(visible("\u{7}\u{FEFF}") == "")
        #expect(LabelText.visible(String(repeating: "x", count: 10_000)).count == LabelText.maxCount)
    }

    @Test("signs that the font lacks show as its sign for them")
    func missingGlyph() throws {
        let font = try FontFace(TestFont.file(), size: 20)
        let missing = font.glyph("\u{E123}")
        #expect(missing.index == 0)
        #expect(missing.width > 5 && missing.coverage.contains { $0 > 128 })
    }

    @Test("many boxes take no time to speak of")
    func many() throws {
        let boxes = (0..<5_000).map { number in
            BoxAnnotation(
                Double(number % 37), Double(number % 23), 10, 10, "object \(number)", confidence: 0.5,
                colorIndex: number)
        }
        let drawn = try AnnotationRenderer().draw(boxes, on: TestImage.plain(200, 100)).pixels
        #expect(drawn.color(199, 99) == TestImage.gray)
    }
}
