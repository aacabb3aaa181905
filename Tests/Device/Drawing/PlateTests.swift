import Foundation
import HearthImaging
import Testing

@testable import HearthDrawing

@Suite("Plates with text", .enabled(if: TestFont.isInstalled, "no font is installed"))
struct PlateTests {
    private static func draw(
        _ boxes: [BoxAnnotation], _ width: Int = 400, _ height: Int = 300, style: AnnotationStyle = AnnotationStyle()
    ) throws -> PixelImage {
        try AnnotationRenderer(style: style).draw(boxes, on: TestImage.plain(width, height)).pixels
    }

    @Test("the plate sits on the box's upper left corner, and its text is dark on a light colour")
    func place() throws {
        let drawn = try Self.draw([BoxAnnotation(100, 80, 200, 120, "cat", confidence: 0.87)])
        let changed = try #require(drawn.extent { $0 != TestImage.gray })
        #expect((60...66).contains(changed.top))
        #expect(drawn.color(102, 72) == .orange)
        let ink = try #require(drawn.extent { $0.luminance < 0.02 && $0 != TestImage.gray })
        #expect(ink.left > 102 && ink.top > changed.top && ink.bottom < 80)
        #expect((25...80).contains(ink.width))
    }

    @Test("text is white on a dark colour")
    func whiteText() throws {
        let style = AnnotationStyle(palette: [RGBColor(red: 0, green: 0, blue: 120)])
        let drawn = try Self.draw([BoxAnnotation(100, 80, 200, 120, "cat")], style: style)
        let ink = try #require(drawn.extent { $0.luminance > 0.5 })
        #expect((15...40).contains(ink.width) && ink.bottom < 80)
        #expect(drawn.extent { $0.luminance < 0.005 && $0.blue < 50 } == nil)
    }

    @Test("every palette colour carries text with a contrast of at least 4.5 to 1, as WCAG asks")
    func contrast() {
        for color in RGBColor.colorBlindPalette {
            let pair = [color.luminance, color.textColor.luminance].sorted()
            #expect((pair[1] + 0.05) / (pair[0] + 0.05) >= 4.5, "\(color)")
        }
    }

    @Test("where there is no room over the box, the plate is under it and hides nothing of what it names")
    func atTop() throws {
        let drawn = try Self.draw([BoxAnnotation(100, 3, 200, 120, "cat")])
        #expect(drawn.color(102, 130) == .orange)
        #expect(drawn.color(110, 12) == TestImage.gray)
    }

    @Test("where there is no room over the box and under it, the plate is inside")
    func wholeHeight() throws {
        let drawn = try Self.draw([BoxAnnotation(100, 3, 200, 294, "cat")])
        #expect(drawn.color(102, 12) == .orange)
        #expect(drawn.color(102, 1) == TestImage.gray)
    }

    @Test("a plate is moved into the image sideways")
    func atRight() throws {
        let drawn = try Self.draw([BoxAnnotation(390, 100, 300, 100, "a rather long name")])
        #expect(drawn.color(398, 92) == .orange)
        #expect(drawn.color(300, 92) == .orange)
    }

    @Test("text that is too long ends in an ellipsis and keeps its confidence")
    func tooLong() throws {
        let font = try FontFace(TestFont.file(), size: 14)
        let confidence = LabelText.confidence(0.5, .percent)
        let line = TextLine(
            label: String(repeating: "m", count: 10_000), confidence: confidence, font: font, maxWidth: 120)
        #expect(line.width <= 120 && line.width > 95)
        let ending = ["\u{2026}", " ", "5", "0", ".", "0", "%"].map { font.glyph($0).index }
        #expect(line.glyphs.suffix(7).map(\.glyph.index) == ending)
        #expect(line.glyphs.first?.glyph.index == font.glyph("m").index)
    }

    @Test("a line that fits is not cut", arguments: ["a", "cat", "hair drier", ""])
    func fits(text: String) throws {
        let font = try FontFace(TestFont.file(), size: 14)
        let free = TextLine(text.unicodeScalars, font: font, maxWidth: .max / 2)
        let tight = TextLine(text.unicodeScalars, font: font, maxWidth: free.width)
        #expect(tight.glyphs.map(\.glyph.index) == text.unicodeScalars.map { font.glyph($0).index })
        let cut = TextLine(text.unicodeScalars, font: font, maxWidth: free.width - 1)
        #expect(text.isEmpty || cut.width < free.width)
    }

    @Test("nothing is written where not even an ellipsis fits", arguments: [0, 1, -1, Int.min / 2])
    func noRoom(width: Int) throws {
        let font = try FontFace(TestFont.file(), size: 14)
        #expect(TextLine("wide".unicodeScalars, font: font, maxWidth: width).isEmpty)
        #expect(TextLine(label: "wide", confidence: ["1"], font: font, maxWidth: width).isEmpty)
    }

    @Test("letters are larger on larger images, and readable on the smallest")
    func textSize() {
        func size(_ width: Int, _ height: Int) -> Int? {
            AnnotationScale(width: width, height: height, factor: 1).textSize
        }
        #expect(size(100, 80) == 9)
        #expect((11...14).contains(size(500, 375) ?? 0))
        #expect((24...32).contains(size(1920, 1080) ?? 0))
        #expect((55...70).contains(size(4096, 3040) ?? 0))
        #expect(size(5000, 30) == 11)
        #expect(size(100, 5) == nil)
        #expect(size(65_000, 65_000) == 512)
    }

    @Test("a box without text has no plate; a confidence alone has one")
    func textless() throws {
        let bare = try #require(try Self.draw([BoxAnnotation(100, 80, 200, 120)]).extent { $0 != TestImage.gray })
        #expect(bare.top >= 78)
        let percent = try Self.draw([BoxAnnotation(100, 80, 200, 120, confidence: 0.5)])
        #expect(try #require(percent.extent { $0 != TestImage.gray }).top < 70)
    }

    @Test(
        "confidences are shown in percent with one decimal, as commands print them",
        arguments: [
            (0.874, "87.4%"), (0.996, "99.6%"), (0.9994, "99.9%"), (0.9996, "100.0%"), (1, "100.0%"), (1.5, "150.0%"),
            (-0.25, "-25.0%"), (0.0004, "0.0%"),
        ] as [(Float, String)])
    func percentages(confidence: Float, text: String) {
        #expect(LabelText.confidence(confidence, .percent) == Array(text.unicodeScalars))
    }

    @Test(
        "a confidence that is not a number, or no share, is not shown",
        arguments: [Float.nan, .infinity, -.infinity, 1e30])
    func noPercentage(confidence: Float) {
        #expect(LabelText.confidence(confidence, .percent) == nil && LabelText.confidence(confidence, .number) == nil)
    }

    @Test("edges of letters are smooth")
    func antialiased() throws {
        let drawn = try Self.draw([BoxAnnotation(100, 80, 200, 120, "oooo")])
        var shades: Set<RGBColor> = []
        for x in 104..<140 { for y in 64..<79 { shades.insert(drawn.color(x, y)) } }
        #expect(shades.count > 6)
    }

    @Test("no ink leaves the area that a line is given")
    func inkStaysInside() throws {
        let line = TextLine("\u{C9}gj|".unicodeScalars, font: try FontFace(TestFont.file(), size: 40), maxWidth: 200)
        let area = PixelArea(left: 12, top: 30, right: 60, bottom: 45)
        let drawn = try PixelImage(
            width: 100, height: 80,
            painting: { bytes in
                let canvas = Canvas(bytes.bindMemory(to: UInt8.self).baseAddress!, width: 100, height: 80)
                line.draw(on: canvas, x: 10, baseline: 44, clip: area, Ink(color: .white))
            })
        let ink = try #require(drawn.extent { $0 != .black })
        #expect(area.contains(ink))
        #expect(ink.width > 20 && ink.height == 15)
    }
}
