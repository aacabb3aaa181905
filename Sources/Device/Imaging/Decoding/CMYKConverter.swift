/// Converts CMYK as JPEG files hold it, inverted (0 is full ink), to RGB.
enum CMYKConverter {
    /// Converts in place: 4 bytes a pixel in, 3 bytes a pixel out at the front of the same memory.
    static func convertToRGB(_ memory: UnsafeMutableRawBufferPointer, pixelCount: Int) {
        guard let base = memory.bindMemory(to: UInt8.self).baseAddress else { return }
        for pixel in 0..<pixelCount {
            let (source, target) = (base + pixel * 4, base + pixel * 3)
            let light = UInt32(source[3])
            // The target trails the source, so each channel is read before it can be overwritten.
            for channel in 0..<3 {
                target[channel] = shade(light, ink: 255 - UInt32(source[channel]))
            }
        }
    }

    /// `light` less the share that the ink takes: `ink * light / 255`, rounded to nearest.
    private static func shade(_ light: UInt32, ink: UInt32) -> UInt8 {
        let product = ink &* light &+ 128
        return UInt8(truncatingIfNeeded: light &- ((product &>> 8 &+ product) &>> 8))
    }
}
