/// The part of the upright original that a tensor shows, and its position in the tensor.
struct TensorFrame: Hashable {
    /// The shown part, in pixels of the upright original.
    let x: Double
    let y: Double
    let width: Double
    let height: Double

    /// The position in the tensor, in pixels. The rest of the tensor is background.
    let left: Int
    let top: Int
    let columns: Int
    let rows: Int

    /// - Parameters:
    ///   - size: The size of the upright original.
    ///   - target: The model's input, at least 1 x 1.
    /// - Throws: `ImageError` with code `.invalidRegion`.
    init(size: (width: Int, height: Int), target: DecodeTarget) throws(ImageError) {
        let part = target.region ?? PixelRect(x: 0, y: 0, width: size.width, height: size.height)
        guard part.isInside(size) else {
            throw ImageError(
                .invalidRegion,
                "the region \(part) is not inside the image of \(size.width) x \(size.height) pixels; cut it to fit")
        }
        let (partWidth, partHeight) = (Double(part.width), Double(part.height))
        let scale = (x: Double(target.width) / partWidth, y: Double(target.height) / partHeight)
        var shown = (width: partWidth, height: partHeight)
        var placed = (columns: target.width, rows: target.height)
        var isInCorner = false
        switch target.placement {
        case .stretch: break
        case .fit(_, let isCentered):
            isInCorner = !isCentered
            let smaller = min(scale.x, scale.y)
            // The programs that put images into the corner drop fractions of a pixel; those that centre them round.
            let rule: FloatingPointRoundingRule = isCentered ? .toNearestOrAwayFromZero : .down
            placed.columns = min(max(Int((partWidth * smaller).rounded(rule)), 1), target.width)
            placed.rows = min(max(Int((partHeight * smaller).rounded(rule)), 1), target.height)
        case .crop:
            let larger = max(scale.x, scale.y)
            shown = (min(Double(target.width) / larger, partWidth), min(Double(target.height) / larger, partHeight))
        }
        x = Double(part.x) + (partWidth - shown.width) / 2
        y = Double(part.y) + (partHeight - shown.height) / 2
        (width, height) = shown
        left = isInCorner ? 0 : (target.width - placed.columns) / 2
        top = isInCorner ? 0 : (target.height - placed.rows) / 2
        (columns, rows) = placed
    }

    /// The mapping back from a tensor of this size.
    func mapping(tensorWidth: Int, tensorHeight: Int) -> ImageMapping {
        let pixel = (x: width / Double(columns), y: height / Double(rows))
        return ImageMapping(
            originX: x - Double(left) * pixel.x, originY: y - Double(top) * pixel.y,
            width: Double(tensorWidth) * pixel.x, height: Double(tensorHeight) * pixel.y)
    }
}

/// The mapping from a model's input back to the image: it converts shares of the input's width and height into pixels
/// of the upright original. The inverse of `ImageTensorWriter.write`.
package struct ImageMapping: Sendable, Hashable {
    /// The column of the upright original at the input's left edge, in pixels.
    let originX: Double
    /// The row of the upright original at the input's top edge, in pixels.
    let originY: Double
    /// The part of the upright original that the input's full width shows, in pixels.
    let width: Double
    /// The part of the upright original that the input's full height shows, in pixels.
    let height: Double

    /// The column of the upright original at `share` of the input's width: 0 is the left edge, 1 the right edge. Not
    /// clipped.
    package func x(_ share: Double) -> Double { originX + share * width }

    /// The row of the upright original at `share` of the input's height: 0 is the top edge, 1 the bottom edge. Not
    /// clipped.
    package func y(_ share: Double) -> Double { originY + share * height }
}
