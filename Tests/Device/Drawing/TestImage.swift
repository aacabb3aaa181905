import Foundation
import HearthImaging

@testable import HearthDrawing

/// Images to draw on, and what can be seen on them.
enum TestImage {
    static let gray = RGBColor(red: 100, green: 100, blue: 100)

    static func plain(_ width: Int, _ height: Int, _ color: RGBColor = gray) throws -> PixelImage {
        try PixelImage(
            width: width, height: height,
            painting: { bytes in
                for offset in stride(from: 0, to: bytes.count, by: 3) {
                    bytes[offset] = color.red
                    bytes[offset + 1] = color.green
                    bytes[offset + 2] = color.blue
                }
            })
    }
}

extension PixelImage {
    func color(_ x: Int, _ y: Int) -> RGBColor {
        withUnsafeBytes { bytes in
            let offset = (y * width + x) * 3
            return RGBColor(red: bytes[offset], green: bytes[offset + 1], blue: bytes[offset + 2])
        }
    }

    var bytes: [UInt8] { withUnsafeBytes { Array($0) } }

    /// The smallest area that holds every pixel for which `isWanted` says yes.
    func extent(where isWanted: (RGBColor) -> Bool) -> PixelArea? {
        var extent: PixelArea?
        for y in 0..<height {
            for x in 0..<width where isWanted(color(x, y)) {
                let old = extent ?? PixelArea(left: x, top: y, right: x, bottom: y)
                extent = PixelArea(
                    left: min(old.left, x), top: min(old.top, y), right: max(old.right, x + 1),
                    bottom: max(old.bottom, y + 1))
            }
        }
        return extent
    }

    func count(_ wanted: RGBColor) -> Int {
        var count = 0
        for y in 0..<height {
            for x in 0..<width where color(x, y) == wanted { count += 1 }
        }
        return count
    }
}

extension BoxAnnotation {
    init(
        _ x: Double, _ y: Double, _ width: Double, _ height: Double, _ text: String = "", confidence: Float? = nil,
        colorIndex: Int = 0
    ) {
        self.init(
            frame: CGRect(x: x, y: y, width: width, height: height), text: text, confidence: confidence,
            colorIndex: colorIndex)
    }
}

extension RGBColor {
    static let orange = RGBColor.colorBlindPalette[0]
}
