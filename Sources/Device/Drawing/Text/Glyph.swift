/// The shape of a character at one size.
struct Glyph: Sendable {
    let index: UInt32

    /// From this glyph's origin to the next one's, in 1/64 pixels, at least 0.
    let advance: Int

    /// Of the bitmap, in pixels: from the origin to its left edge, and up from the baseline to its top edge.
    var left = 0
    var top = 0

    var width = 0
    var height = 0

    /// How much of each pixel has ink, 0 to 255: rows from the top, `width * height` bytes.
    var coverage: [UInt8] = []
}
