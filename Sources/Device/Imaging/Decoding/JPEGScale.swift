/// The factor by which a JPEG is reduced while it is decoded: each side to `1 / denominator`, rounded up.
///
/// libjpeg-turbo can decode at any eighth of the size, but has SIMD transforms only for 1, 1/2 and 1/4, and needs none
/// at 1/8. The sizes between are plain C: as measured, 3/8 takes as long as 1/2 or longer, and 5/8, 6/8 and 7/8 take
/// longer than the whole image. So the sides are halved as long as the result covers the target, at most three times.
struct JPEGScale {
    static let full = JPEGScale(denominator: 1)

    let denominator: Int

    /// The smallest scale that leaves the model as many pixels as `target.oversampling` requires.
    ///
    /// - Parameters:
    ///   - size: The size of the stored image.
    ///   - orientation: The orientation of the stored image; the target's own takes precedence.
    /// - Throws: `ImageError` with code `.invalidRegion`.
    static func smallest(
        covering target: DecodeTarget, size: (width: Int, height: Int), orientation: ImageOrientation
    ) throws(ImageError) -> JPEGScale {
        let sides = 1...ImageLimits().maxSide
        guard sides.contains(target.width), sides.contains(target.height) else { return full }
        let upright = (target.orientation ?? orientation).uprightSize(
            storedWidth: size.width, storedHeight: size.height)
        let frame = try TensorFrame(size: upright, target: target)
        let cover = max(target.oversampling, 1)
        let needed = (columns: Double(frame.columns) * cover, rows: Double(frame.rows) * cover)
        for denominator in [8, 4, 2] {
            let scale = JPEGScale(denominator: denominator)
            let left = (
                columns: frame.width * Double(scale.side(upright.width)) / Double(upright.width),
                rows: frame.height * Double(scale.side(upright.height)) / Double(upright.height)
            )
            if left.columns >= needed.columns, left.rows >= needed.rows { return scale }
        }
        return full
    }

    /// The length of a side of `length` pixels at this scale. The corresponding C macro is `TJSCALED`.
    func side(_ length: Int) -> Int { (length + denominator - 1) / denominator }
}
