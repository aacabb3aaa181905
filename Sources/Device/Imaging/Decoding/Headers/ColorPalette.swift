/// The colours of an image whose pixels are indices of at most one byte. An index without a colour is black.
struct ColorPalette {
    struct Color: Equatable {
        var red: UInt8 = 0
        var green: UInt8 = 0
        var blue: UInt8 = 0

        /// Writes the colour to `count` pixels.
        func fill(_ pixels: UnsafeMutablePointer<UInt8>, count: Int) {
            for pixel in 0..<count {
                write(to: pixels + pixel * 3)
            }
        }

        func write(to pixel: UnsafeMutablePointer<UInt8>) {
            pixel[0] = red
            pixel[1] = green
            pixel[2] = blue
        }
    }

    /// Always 256 entries, so that every index is valid.
    private var colors = [Color](repeating: Color(), count: 256)

    /// - Parameter count: The number of colours; `color` is called for at most 256 of them.
    init(count: Int, color: (Int) -> Color) {
        for index in 0..<min(max(count, 0), 256) {
            colors[index] = color(index)
        }
    }

    subscript(index: UInt8) -> Color { colors[Int(index)] }

    /// Writes the colours of `indices` to `pixels`, 3 bytes each.
    func write(_ indices: UnsafeBufferPointer<UInt8>, to pixels: UnsafeMutablePointer<UInt8>) {
        colors.withUnsafeBufferPointer { colors in
            for (place, index) in indices.enumerated() {
                colors[Int(index)].write(to: pixels + place * 3)
            }
        }
    }
}
