import HearthTestSupport
import Testing

@testable import HearthDrawing

@Suite("Finding places for plates")
struct LabelPlacerTests {
    private let bounds = PixelArea(left: 0, top: 0, right: 640, bottom: 480)

    private func areOverlapping(_ areas: [PixelArea]) -> Bool {
        areas.indices.contains { first in areas[..<first].contains { $0.overlaps(areas[first]) } }
    }

    @Test("plates of one and the same box are spread around it")
    func sameBox() {
        var placer = LabelPlacer(bounds: bounds, gap: 1)
        let box = PixelArea(left: 200, top: 200, right: 300, bottom: 300)
        let places = (0..<12).compactMap { _ in placer.place(width: 70, height: 18, at: box) }
        #expect(places.count == 12)
        #expect(!areOverlapping(places))
        #expect(places[0] == PixelArea(left: 200, top: 182, width: 70, height: 18))
        #expect(places.allSatisfy { $0.overlaps(box.outset(by: 36)) })
    }

    @Test("plates never cover each other nor leave the image, and most boxes get one")
    func crowd() {
        var random = SeededGenerator(seed: 3)
        for _ in 0..<20 {
            var placer = LabelPlacer(bounds: bounds, gap: 2)
            var places: [PixelArea] = []
            for _ in 0..<40 {
                let box = PixelArea(
                    left: .random(in: 0..<600, using: &random), top: .random(in: 0..<440, using: &random),
                    width: .random(in: 1..<300, using: &random), height: .random(in: 1..<200, using: &random)
                ).intersection(bounds)
                let width = Int.random(in: 20..<150, using: &random)
                if let place = placer.place(width: width, height: 18, at: box) { places.append(place) }
            }
            #expect(places.count >= 34)
            #expect(places.allSatisfy(bounds.contains))
            #expect(!areOverlapping(places))
        }
    }

    @Test(
        "a plate stands over its box, else under it, and only where neither has room in it",
        arguments: [
            (100, 300, 82), (18, 300, 0), (17, 300, 300), (0, 300, 300), (0, 462, 462), (0, 463, 0), (5, 480, 5),
        ])
    func order(top: Int, bottom: Int, plateTop: Int) throws {
        var placer = LabelPlacer(bounds: bounds, gap: 1)
        let place = placer.place(width: 70, height: 18, at: PixelArea(left: 200, top: top, right: 300, bottom: bottom))
        #expect(place == PixelArea(left: 200, top: plateTop, width: 70, height: 18))
    }

    @Test("where the place over the left corner is taken, the one over the right corner is before the one in the box")
    func rightCorner() throws {
        var placer = LabelPlacer(bounds: bounds, gap: 1)
        placer.reserve(PixelArea(left: 180, top: 80, right: 230, bottom: 100))
        let place = placer.place(width: 60, height: 18, at: PixelArea(left: 200, top: 100, right: 300, bottom: 200))
        #expect(place == PixelArea(left: 240, top: 82, width: 60, height: 18))
    }

    @Test("an image without room gets no plate")
    func noRoom() {
        var placer = LabelPlacer(bounds: PixelArea(left: 0, top: 0, right: 50, bottom: 20), gap: 1)
        let box = PixelArea(left: 0, top: 0, right: 50, bottom: 20)
        let places = [(50, 18), (50, 18), (60, 1)].map { placer.place(width: $0, height: $1, at: box) }
        #expect(places[0] != nil && places[1] == nil && places[2] == nil)
    }

    @Test("plates keep off what is reserved")
    func reserved() throws {
        var placer = LabelPlacer(bounds: bounds, gap: 1)
        let caption = PixelArea(left: 0, top: 0, right: 300, bottom: 100)
        placer.reserve(caption)
        let box = PixelArea(left: 50, top: 60, right: 200, bottom: 200)
        let found = placer.place(width: 70, height: 18, at: box)
        let place = try #require(found)
        #expect(!place.overlaps(caption))
    }
}
