import Foundation
import HearthImaging
import Testing

@testable import HearthDrawing

@Suite("Boxes on an image")
struct BoxTests {
    @Test("the line has the class's colour just inside the box's edge; the inside and the outside stay")
    func line() throws {
        let image = try TestImage.plain(400, 300)
        let drawn = try AnnotationRenderer().draw([BoxAnnotation(100, 80, 200, 120, colorIndex: 1)], on: image).pixels
        let color = RGBColor.colorBlindPalette[1]
        for (x, y) in [(100, 140), (299, 140), (200, 80), (200, 199)] {
            #expect(drawn.color(x, y) == color, "at \(x), \(y)")
        }
        for (x, y) in [(105, 140), (200, 85), (200, 140), (95, 140), (305, 140), (200, 75), (200, 205)] {
            #expect(drawn.color(x, y) == TestImage.gray, "at \(x), \(y)")
        }
        #expect(image.count(TestImage.gray) == 400 * 300)
    }

    @Test("nothing changes outside the box and its seam")
    func dirtyArea() throws {
        let drawn = try AnnotationRenderer().draw([BoxAnnotation(100, 80, 200, 120)], on: TestImage.plain(400, 300))
        let changed = try #require(drawn.pixels.extent { $0 != TestImage.gray })
        #expect(PixelArea(left: 98, top: 78, right: 302, bottom: 202).contains(changed))
        #expect(changed.contains(PixelArea(left: 100, top: 80, right: 300, bottom: 200)))
    }

    @Test("without boxes the image comes back as it was")
    func nothing() throws {
        let image = try TestImage.plain(30, 20)
        let result = try AnnotationRenderer().draw([], on: image)
        #expect(result.pixels.bytes == image.bytes)
        #expect(!result.isFontMissing)
    }

    @Test("the part outside is cut off, and the box is closed along the image's edge")
    func clipped() throws {
        let drawn = try AnnotationRenderer().draw(
            [BoxAnnotation(-1e9, 50, 1e9 + 60, 1e12)], on: TestImage.plain(200, 150)
        ).pixels
        #expect(drawn.color(0, 100) == .orange)
        #expect(drawn.color(59, 100) == .orange)
        #expect(drawn.color(30, 149) == .orange)
        #expect(drawn.color(30, 100) == TestImage.gray)
        #expect(drawn.color(70, 100) == TestImage.gray)
    }

    @Test(
        "boxes outside, without area or with impossible sides are not drawn",
        arguments: [
            CGRect(x: 300, y: 10, width: 20, height: 20), CGRect(x: -50, y: 10, width: 50, height: 20),
            CGRect(x: 10, y: -30, width: 20, height: 30), CGRect(x: 10, y: 10, width: 0, height: 20),
            CGRect(x: 10, y: 10, width: 20, height: 0), CGRect(x: Double.nan, y: 10, width: 20, height: 20),
            CGRect(x: 10, y: 10, width: Double.nan, height: 20),
            CGRect(x: 10, y: 10, width: Double.infinity, height: 20),
            CGRect(x: -Double.infinity, y: 10, width: 20, height: 20),
            CGRect(x: 1e308, y: 1e308, width: 1e308, height: 1e308), CGRect.null, CGRect.infinite, CGRect.zero,
        ])
    func ignored(frame: CGRect) throws {
        let image = try TestImage.plain(200, 150)
        let box = BoxAnnotation(frame: frame, text: "nothing", confidence: 0.5)
        #expect(try AnnotationRenderer().draw([box], on: image).pixels.bytes == image.bytes)
    }

    @Test("a box smaller than its lines is a spot of its colour", arguments: [0.01, 0.9, 1, 2, 3])
    func tiny(side: Double) throws {
        let drawn = try AnnotationRenderer().draw([BoxAnnotation(50, 40, side, side)], on: TestImage.plain(200, 150))
        #expect(drawn.pixels.color(50, 40) == .orange)
        #expect(drawn.pixels.color(56, 46) == TestImage.gray)
    }

    @Test("lines grow with the image, and with the style's scale")
    func lineWidth() throws {
        func lineWidth(_ width: Int, _ height: Int, scale: Double = 1) throws -> Int {
            let frame = CGRect(x: 0, y: 0, width: width, height: height).insetBy(dx: 20, dy: 20)
            let drawn = try AnnotationRenderer(style: AnnotationStyle(scale: scale)).draw(
                [BoxAnnotation(frame: frame)], on: TestImage.plain(width, height))
            return (0..<width / 2).count { drawn.pixels.color($0, height / 2) == .orange }
        }
        #expect(try lineWidth(100, 80) == 1)
        #expect(try lineWidth(640, 480) == 2)
        #expect(try (4...5).contains(lineWidth(1600, 1200)))
        #expect(try lineWidth(640, 480, scale: 3) == 6)
        #expect(try lineWidth(640, 480, scale: .nan) == 2)
        #expect(try lineWidth(100, 80, scale: -5) == 1)
    }

    @Test("the first box lies over the others")
    func order() throws {
        let boxes = [BoxAnnotation(20, 20, 100, 80, colorIndex: 2), BoxAnnotation(20, 20, 100, 80, colorIndex: 3)]
        let drawn = try AnnotationRenderer().draw(boxes, on: TestImage.plain(200, 150)).pixels
        #expect(drawn.color(20, 60) == RGBColor.colorBlindPalette[2])
    }

    @Test(
        "images of any shape can be drawn on",
        arguments: [(1, 1), (1, 50), (50, 1), (2, 2), (9, 9), (12, 11), (2000, 3), (3, 2000)])
    func shapes(width: Int, height: Int) throws {
        let boxes = [
            BoxAnnotation(0, 0, Double(width), Double(height), "everything", confidence: 0.9),
            BoxAnnotation(-5, -5, 6, 6, "corner", colorIndex: 1),
        ]
        let result = try AnnotationRenderer().draw(
            boxes, caption: [LabelAnnotation(text: "caption", confidence: 0.3)], on: TestImage.plain(width, height))
        #expect(result.pixels.width == width && result.pixels.height == height)
        #expect(result.pixels.color(0, 0) != TestImage.gray)
    }

    @Test("raw images can be drawn on, padding between their rows or not", arguments: [0, 7])
    func rawImage(padding: Int) throws {
        let row = (0..<40).flatMap { _ in [200, 100, 50, 255] as [UInt8] } + [UInt8](repeating: 0, count: padding)
        let plane = PixelImage.Plane(Data((0..<30).flatMap { _ in row }), bytesPerRow: row.count)
        let image = try PixelImage(format: .bgra, width: 40, height: 30, planes: [plane])
        let drawn = try AnnotationRenderer().draw([BoxAnnotation(10, 10, 20, 15)], on: image).pixels
        #expect(drawn.color(10, 17) == .orange)
        #expect(drawn.color(39, 29) == RGBColor(red: 50, green: 100, blue: 200))
        #expect(drawn.byteCount == 40 * 30 * 3)
    }
}

@Suite("Captions", .enabled(if: TestFont.isInstalled, "no font is installed"))
struct CaptionTests {
    private static func draw(_ labels: [LabelAnnotation], _ width: Int = 400, _ height: Int = 300) throws -> PixelImage
    {
        try AnnotationRenderer().draw([], caption: labels, on: TestImage.plain(width, height)).pixels
    }

    @Test("a dark panel with white text in the upper left corner")
    func panel() throws {
        let drawn = try Self.draw([
            LabelAnnotation(text: "daisy", confidence: 0.97), LabelAnnotation(text: "roses", confidence: 0.02),
        ])
        let panel = try #require(drawn.extent { $0 != TestImage.gray })
        #expect(panel.left > 0 && panel.left < 12 && panel.top < 12)
        #expect((25...50).contains(panel.height))
        let ink = try #require(drawn.extent { $0.luminance > 0.8 })
        #expect(panel.contains(ink))
        #expect(drawn.color(panel.left + 1, panel.top + panel.height / 2).luminance < 0.05)
    }

    @Test(
        "more and longer lines than fit stay inside the image", arguments: [(400, 300), (60, 40), (30, 30), (16, 16)])
    func tooMuch(width: Int, height: Int) throws {
        let label = LabelAnnotation(text: String(repeating: "long ", count: 1_000), confidence: 0.5)
        let drawn = try Self.draw(Array(repeating: label, count: 1_000), width, height)
        for x in 0..<width { #expect(drawn.color(x, height - 1) == TestImage.gray) }
        for y in 0..<height { #expect(drawn.color(width - 1, y) == TestImage.gray) }
    }

    @Test("no labels, or labels of nothing, make no panel", arguments: [0, 3])
    func empty(count: Int) throws {
        let drawn = try Self.draw(Array(repeating: LabelAnnotation(text: "\u{7} \n"), count: count))
        #expect(drawn.extent { $0 != TestImage.gray } == nil)
    }

    @Test("confidences that are no shares of 1 are numbers, and then all of them")
    func numbers() throws {
        let asNumbers = try Self.draw([
            LabelAnnotation(text: "daisy", confidence: 8.15), LabelAnnotation(text: "roses", confidence: 0.5),
        ])
        let wider = try Self.draw([
            LabelAnnotation(text: "daisy", confidence: 0.815), LabelAnnotation(text: "roses", confidence: 0.5),
        ])
        let panel = try #require(asNumbers.extent { $0 != TestImage.gray })
        // "8.15" and "0.50" are shorter than "81.5%" and "50.0%", which have a letter more.
        #expect(panel.width < (try #require(wider.extent { $0 != TestImage.gray })).width)
        let box = BoxAnnotation(20, 60, 200, 120, "cat", confidence: 8.15)
        let named = BoxAnnotation(20, 60, 200, 120, "cat 8.15")
        let drawn = try [box, named].map {
            try AnnotationRenderer().draw([$0], on: TestImage.plain(400, 300)).pixels.bytes
        }
        #expect(drawn[0] == drawn[1])
    }

    @Test("plates of boxes keep off the panel")
    func withBoxes() throws {
        let labels = [LabelAnnotation(text: "daisy", confidence: 0.97)]
        let alone = try Self.draw(labels)
        let panel = try #require(alone.extent { $0 != TestImage.gray })
        let boxes = [BoxAnnotation(Double(panel.left), Double(panel.bottom + 5), 200, 150, "cat", confidence: 0.5)]
        let both = try AnnotationRenderer().draw(boxes, caption: labels, on: TestImage.plain(400, 300)).pixels
        for y in panel.top..<panel.bottom {
            for x in panel.left..<panel.right where both.color(x, y) != alone.color(x, y) {
                Issue.record("the panel is not as it was at \(x), \(y)")
                return
            }
        }
    }
}
