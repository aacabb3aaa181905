/// A rectangle with sides along the axes, in whatever unit its maker counts: pixels, or shares of an image's sides.
/// Right is not left of left and bottom not above top, unless a model says so; such a box has no area.
struct Box: Sendable, Hashable {
    var left: Float
    var top: Float
    var right: Float
    var bottom: Float

    /// In square units; 0 for a box that is inverted or has a side that is not a number. In double precision, because
    /// there no two sides are too long to be multiplied.
    var area: Double {
        let width = Double(right) - Double(left)
        let height = Double(bottom) - Double(top)
        return width > 0 && height > 0 ? width * height : 0
    }

    /// The area that both share, as a share of the area that they cover together: 0 for boxes apart, 1 for the same box.
    /// Always a number: 0 also where a box has no area, no end, or a side that is not a number.
    func intersectionOverUnion(with other: Box) -> Double {
        let (own, others) = (area, other.area)
        guard own > 0, others > 0 else { return 0 }
        let shared = intersection(with: other).area
        let ratio = shared / (own + others - shared)
        return ratio.isFinite ? ratio : 0
    }

    /// Inverted when the two are apart.
    private func intersection(with other: Box) -> Box {
        Box(
            left: max(left, other.left), top: max(top, other.top), right: min(right, other.right),
            bottom: min(bottom, other.bottom))
    }

    /// Whether a side is not a number.
    var hasNaN: Bool { left.isNaN || top.isNaN || right.isNaN || bottom.isNaN }
}

/// A box that a model found, with the class that it found there.
struct ScoredBox: Sendable, Hashable {
    var box: Box
    var classIndex: Int
    var score: Float
}
