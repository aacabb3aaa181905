/// The pixels of the image to draw on: red, green, blue. Drawing is clipped to the image.
///
/// A borrowed view: the memory belongs to the caller and outlives the value.
struct Canvas {
    let bounds: PixelArea
    private let bytes: UnsafeMutablePointer<UInt8>

    /// - Parameter bytes: `width * height * 3` bytes.
    init(_ bytes: UnsafeMutablePointer<UInt8>, width: Int, height: Int) {
        self.bytes = bytes
        bounds = PixelArea(left: 0, top: 0, right: width, bottom: height)
    }

    func fill(_ area: PixelArea, _ ink: Ink) {
        let visible = area.intersection(bounds)
        guard !visible.isEmpty else { return }
        for y in visible.top..<visible.bottom {
            ink.cover(address(visible.left, y), count: visible.width)
        }
    }

    /// Covers one pixel, which must be inside the bounds, with `ink` weighted by `coverage`.
    func blend(_ x: Int, _ y: Int, _ ink: Ink, coverage: UInt8) {
        ink.cover(address(x, y), coverage: coverage)
    }

    private func address(_ x: Int, _ y: Int) -> UnsafeMutablePointer<UInt8> {
        bytes + (y * bounds.right + x) * 3
    }
}
