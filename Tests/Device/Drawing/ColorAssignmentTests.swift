import Testing

@testable import HearthDrawing

@Suite("Colours of classes")
struct ColorAssignmentTests {
    private let palette = RGBColor.colorBlindPalette

    @Test("a class keeps its colour, whatever its number", arguments: [0, 6, 7, 90, -1, Int.min, Int.max])
    func stable(index: Int) {
        var colors = ColorAssignment(palette: palette)
        let first = colors.color(index)
        let second = colors.color(index)
        #expect(second == first)
        #expect(palette.contains(first))
    }

    @Test("classes that would share a colour get different ones while there are any")
    func distinct() {
        var colors = ColorAssignment(palette: palette)
        let given = (0..<palette.count).map { colors.color($0 * palette.count) }
        #expect(Set(given).count == palette.count)
        #expect(given[0] == palette[0])
        let another = colors.color(1_000)
        #expect(palette.contains(another))
    }

    @Test("people with any colour blindness tell the colours apart", arguments: ColorVision.allCases)
    func colorBlindness(vision: ColorVision) {
        for (index, color) in palette.enumerated() {
            for other in palette[..<index] {
                #expect(vision.difference(color, other) > 15, "\(color) and \(other)")
            }
        }
    }

    @Test("an empty palette acts like the default")
    func emptyPalette() throws {
        let style = AnnotationStyle(palette: [])
        let drawn = try AnnotationRenderer(style: style).draw(
            [BoxAnnotation(10, 10, 80, 60)], on: TestPicture.plain(100, 80))
        #expect(drawn.pixels.color(10, 40) == palette[0])
    }
}
