/// The shape of a character at one size.
struct Glyph: Sendable {
    let index: UInt32

    /// The distance from this glyph's origin to the next one's, in 1/64 pixels, at least 0.
    let advance: Int

    /// The position of the bitmap in pixels: from the origin to its left edge, and from the baseline up to its top
    /// edge.
    var left = 0
    var top = 0

    var width = 0
    var height = 0

    /// The share of each pixel with ink, 0 to 255: rows from the top, `width * height` bytes.
    var coverage: [UInt8] = []
}
