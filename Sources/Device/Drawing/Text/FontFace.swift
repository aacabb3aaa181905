import CFreeType
import Foundation

/// A font at one size. Owns one `FT_Face`: opened in `init`, closed in `deinit`. For one thread.
///
/// Glyphs are rendered at first use and kept.
final class FontFace {
    /// The height in pixels to which the font's design is scaled.
    let size: Int

    /// The height of a capital letter above the baseline, in pixels.
    private(set) var capHeight = 0

    private let library: FontLibrary
    private let face: FT_Face
    private var glyphs: [UInt32: Glyph] = [:]

    init(_ file: FontFile, size: Int) throws(DrawingError) {
        library = try FontLibrary()
        var face: FT_Face?
        guard FT_New_Face(library.handle, file.path, 0, &face) == 0, let face else {
            throw Self.unusable(file, "is not a readable font file")
        }
        self.face = face
        self.size = size
        // From here on, the object is complete and `deinit` closes the face.
        guard FT_Set_Pixel_Sizes(face, 0, UInt32(size)) == 0, face.pointee.face_flags & FT_FACE_FLAG_SCALABLE != 0
        else {
            throw Self.unusable(file, "has no outlines that can be scaled")
        }
        capHeight = glyph("H").top
    }

    deinit {
        FT_Done_Face(face)
    }

    /// The glyph of `scalar`. If the font lacks it, the font's glyph for missing characters, usually an empty box.
    func glyph(_ scalar: Unicode.Scalar) -> Glyph {
        let index = FT_Get_Char_Index(face, FT_ULong(scalar.value))
        if let glyph = glyphs[index] { return glyph }
        let glyph = draw(index)
        glyphs[index] = glyph
        return glyph
    }

    func has(_ scalar: Unicode.Scalar) -> Bool { FT_Get_Char_Index(face, FT_ULong(scalar.value)) != 0 }

    /// The number to add to the advance of `left` when `right` follows, in 1/64 pixels. The corresponding C function is
    /// `FT_Get_Kerning`.
    func kerning(_ left: Glyph, _ right: Glyph) -> Int {
        var delta = FT_Vector()
        guard FT_Get_Kerning(face, left.index, right.index, FT_KERNING_DEFAULT.rawValue, &delta) == 0 else { return 0 }
        // Limited, because a damaged table may contain any number.
        return min(max(delta.x, -size * 64), size * 64)
    }

    /// The corresponding C function is `FT_Load_Glyph`. A glyph that a damaged font cannot render becomes a gap.
    private func draw(_ index: UInt32) -> Glyph {
        guard FT_Load_Glyph(face, index, hearth_ft_render_flags) == 0, let slot = face.pointee.glyph else {
            return Glyph(index: index, advance: size * 32)
        }
        let bitmap = slot.pointee.bitmap
        // Limited, because negative or very large advances would move text out of its plate.
        let advance = min(max(slot.pointee.advance.x, 0), size * 64 * 4)
        guard bitmap.pixel_mode == UInt8(FT_PIXEL_MODE_GRAY.rawValue), bitmap.pitch >= 0, let rows = bitmap.buffer
        else {
            return Glyph(index: index, advance: advance)
        }
        let (width, height) = (Int(bitmap.width), Int(bitmap.rows))
        var coverage: [UInt8] = []
        coverage.reserveCapacity(width * height)
        for row in 0..<height {
            coverage += UnsafeBufferPointer(start: rows + row * Int(bitmap.pitch), count: width)
        }
        return Glyph(
            index: index, advance: advance, left: Int(slot.pointee.bitmap_left), top: Int(slot.pointee.bitmap_top),
            width: width, height: height, coverage: coverage)
    }

    private static func unusable(_ file: FontFile, _ reason: String) -> DrawingError {
        let origin = file.origin.map { ", which \($0) names," } ?? ""
        return DrawingError(.fontUnusable, "\(file.path)\(origin) \(reason); name a TrueType or OpenType file")
    }
}
