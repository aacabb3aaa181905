/// A colour with an opacity: 0 leaves the image unchanged, 255 covers it.
struct Ink {
    var color: RGBColor
    var opacity: UInt8 = 255

    /// Covers `count` adjacent pixels.
    func cover(_ pixels: UnsafeMutablePointer<UInt8>, count: Int) {
        if opacity < 255 {
            for index in 0..<count { cover(pixels + index * 3, coverage: 255) }
            return
        }
        for offset in stride(from: 0, to: count * 3, by: 3) {
            pixels[offset] = color.red
            pixels[offset + 1] = color.green
            pixels[offset + 2] = color.blue
        }
    }

    /// - Parameter coverage: The share of the pixel that the ink covers, 0 to 255.
    @inline(__always)
    func cover(_ pixel: UnsafeMutablePointer<UInt8>, coverage: UInt8) {
        let alpha = Self.divideBy255(UInt32(opacity) &* UInt32(coverage))
        pixel[0] = Self.mix(pixel[0], color.red, alpha)
        pixel[1] = Self.mix(pixel[1], color.green, alpha)
        pixel[2] = Self.mix(pixel[2], color.blue, alpha)
    }

    @inline(__always)
    private static func mix(_ below: UInt8, _ above: UInt8, _ alpha: UInt32) -> UInt8 {
        UInt8(truncatingIfNeeded: divideBy255(UInt32(below) &* (255 &- alpha) &+ UInt32(above) &* alpha))
    }

    /// Rounds to nearest. Exact for products of two bytes, and faster than a division.
    @inline(__always)
    private static func divideBy255(_ product: UInt32) -> UInt32 {
        let rounded = product &+ 128
        return (rounded &+ (rounded >> 8)) >> 8
    }
}
