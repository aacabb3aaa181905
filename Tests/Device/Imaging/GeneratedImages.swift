import Foundation
import HearthImaging
import HearthTestSupport

/// Images made by a rule.
enum GeneratedImage {
    static func filled(
        width: Int, height: Int, color: (_ x: Int, _ y: Int) -> (UInt8, UInt8, UInt8)
    ) throws -> PixelImage {
        try PixelImage(
            width: width, height: height,
            painting: { bytes in
                for pixel in 0..<(width * height) {
                    let (red, green, blue) = color(pixel % width, pixel / width)
                    bytes[pixel * 3] = red
                    bytes[pixel * 3 + 1] = green
                    bytes[pixel * 3 + 2] = blue
                }
            })
    }

    static func noise(width: Int, height: Int) throws -> PixelImage {
        var random = SeededGenerator(seed: 7)
        return try filled(width: width, height: height) { _, _ in
            let value = random.next()
            return (UInt8(truncatingIfNeeded: value), UInt8(truncatingIfNeeded: value >> 8), UInt8(value >> 56))
        }
    }

    /// Smooth, as photos are.
    static func gradient(width: Int, height: Int) throws -> PixelImage {
        try filled(width: width, height: height) { x, y in
            (UInt8(x * 200 / width), UInt8(y * 200 / height), UInt8(120 - x * 100 / width))
        }
    }
}

/// Makes raw images of random bytes whose planes end exactly with their last pixel.
enum RawImages {
    static func plane(
        width: Int, rows: Int, bytesPerRow: Int, _ random: inout SeededGenerator
    ) -> PixelImage.Plane {
        let count = (rows - 1) * bytesPerRow + width
        let bytes = (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) }
        return PixelImage.Plane(Data(bytes), bytesPerRow: bytesPerRow)
    }

    /// - Parameter padding: Bytes between the end of a row and the next.
    static func image(
        _ format: PixelFormat, width: Int, height: Int, padding: Int, _ random: inout SeededGenerator
    ) throws -> PixelImage {
        let planes = planeSizes(format, width: width, height: height).map { size in
            plane(width: size.bytes, rows: size.rows, bytesPerRow: size.bytes + padding, &random)
        }
        return try PixelImage(format: format, width: width, height: height, planes: planes)
    }

    /// Used bytes of a row, and rows, of each plane.
    static func planeSizes(_ format: PixelFormat, width: Int, height: Int) -> [(bytes: Int, rows: Int)] {
        let (halfWidth, halfHeight) = ((width + 1) / 2, (height + 1) / 2)
        return switch format {
        case .rgb: [(width * 3, height)]
        case .rgba, .bgra, .xrgb: [(width * 4, height)]
        case .gray: [(width, height)]
        case .nv12, .nv21: [(width, height), (halfWidth * 2, halfHeight)]
        case .i420: [(width, height), (halfWidth, halfHeight), (halfWidth, halfHeight)]
        }
    }
}
