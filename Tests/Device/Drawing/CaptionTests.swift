import HearthImaging
import Testing

@testable import HearthDrawing

@Suite("Captions", .enabled(if: TestFont.isThere, "no font is installed"))
struct CaptionTests {
    private static func draw(_ labels: [LabelAnnotation], _ width: Int = 400, _ height: Int = 300) throws -> PixelImage
    {
        try AnnotationRenderer().draw([], caption: labels, on: TestPicture.plain(width, height)).pixels
    }

    @Test("a dark panel with white text in the upper left corner")
    func panel() throws {
        let drawn = try Self.draw([
            LabelAnnotation(text: "daisy", confidence: 0.97), LabelAnnotation(text: "roses", confidence: 0.02),
        ])
        let panel = try #require(drawn.extent { $0 != TestPicture.gray })
        #expect(panel.left > 0 && panel.left < 12 && panel.top < 12)
        #expect((25...50).contains(panel.height))
        let ink = try #require(drawn.extent { $0.luminance > 0.8 })
        #expect(panel.contains(ink))
        #expect(drawn.color(panel.left + 1, panel.top + panel.height / 2).luminance < 0.05)
    }

    @Test(
        "more and longer lines than fit stay inside the picture", arguments: [(400, 300), (60, 40), (30, 30), (16, 16)])
    func tooMuch(width: Int, height: Int) throws {
        let label = LabelAnnotation(text: String(repeating: "long ", count: 1_000), confidence: 0.5)
        let drawn = try Self.draw(Array(repeating: label, count: 1_000), width, height)
        for x in 0..<width { #expect(drawn.color(x, height - 1) == TestPicture.gray) }
        for y in 0..<height { #expect(drawn.color(width - 1, y) == TestPicture.gray) }
    }

    @Test("no labels, or labels of nothing, make no panel", arguments: [0, 3])
    func empty(count: Int) throws {
        let drawn = try Self.draw(Array(repeating: LabelAnnotation(text: "\u{7} \n"), count: count))
        #expect(drawn.extent { $0 != TestPicture.gray } == nil)
    }

    @Test("plates of boxes keep off the panel")
    func withBoxes() throws {
        let labels = [LabelAnnotation(text: "daisy", confidence: 0.97)]
        let alone = try Self.draw(labels)
        let panel = try #require(alone.extent { $0 != TestPicture.gray })
        let boxes = [BoxAnnotation(Double(panel.left), Double(panel.bottom + 5), 200, 150, "cat", confidence: 0.5)]
        let both = try AnnotationRenderer().draw(boxes, caption: labels, on: TestPicture.plain(400, 300)).pixels
        for y in panel.top..<panel.bottom {
            for x in panel.left..<panel.right where both.color(x, y) != alone.color(x, y) {
                Issue.record("the panel is not as it was at \(x), \(y)")
                return
            }
        }
    }
}
