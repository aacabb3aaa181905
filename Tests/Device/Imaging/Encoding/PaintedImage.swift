import HearthImaging
import HearthTestSupport

/// Pictures made by a rule.
enum PaintedImage {
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
