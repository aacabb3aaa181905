import CFreeType
import Foundation

/// Owns one `FT_Library`: created in `init`, destroyed in `deinit`. For one thread.
final class FontLibrary {
    let handle: FT_Library

    init() throws(DrawingError) {
        var handle: FT_Library?
        let status = FT_Init_FreeType(&handle)
        guard status == 0, let handle else {
            throw DrawingError(.outOfMemory, "the font library cannot start (FreeType error \(status))")
        }
        self.handle = handle
    }

    deinit {
        FT_Done_FreeType(handle)
    }
}

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
