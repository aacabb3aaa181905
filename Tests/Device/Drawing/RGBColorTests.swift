import Foundation
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
            [BoxAnnotation(10, 10, 80, 60)], on: TestImage.plain(100, 80))
        #expect(drawn.pixels.color(10, 40) == palette[0])
    }
}

/// How people see colours: a simulation of complete colour blindness by the matrices of Machado, Oliveira and
/// Fernandes (2009).
enum ColorVision: CaseIterable {
    case usual
    case protanopia
    case deuteranopia
    case tritanopia

    private var matrix: [[Double]] {
        switch self {
        case .usual: [[1, 0, 0], [0, 1, 0], [0, 0, 1]]
        case .protanopia:
            [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]]
        case .deuteranopia:
            [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.011820, 0.042940, 0.968881]]
        case .tritanopia:
            [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.303900]]
        }
    }

    /// CIE 1976: 2 is just visible side by side, 100 lies between black and white.
    func difference(_ first: RGBColor, _ second: RGBColor) -> Double {
        zip(lab(first), lab(second)).map { ($0 - $1) * ($0 - $1) }.reduce(0, +).squareRoot()
    }

    private func lab(_ color: RGBColor) -> [Double] {
        let linear = [color.red, color.green, color.blue].map { (channel: UInt8) -> Double in
            let value = Double(channel) / 255
            return value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4)
        }
        let seen = Self.product(matrix, linear).map { min(max($0, 0), 1) }
        let xyz = Self.product(
            [[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]], seen)
        let shares = zip(xyz, [0.9505, 1, 1.089]).map { (value: Double, white: Double) -> Double in
            let share = value / white
            return share > 0.008856 ? cbrt(share) : 7.787 * share + 16 / 116
        }
        return [116 * shares[1] - 16, 500 * (shares[0] - shares[1]), 200 * (shares[1] - shares[2])]
    }

    private static func product(_ matrix: [[Double]], _ vector: [Double]) -> [Double] {
        matrix.map { row in zip(row, vector).map(*).reduce(0, +) }
    }
}
