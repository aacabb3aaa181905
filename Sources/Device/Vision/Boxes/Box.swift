/// A rectangle with sides along the axes. The code that creates it chooses the unit: pixels, or shares of an image's
/// sides.
///
/// `left` is at most `right` and `top` at most `bottom`, unless a model says otherwise; such an inverted box has no
/// area.
struct Box: Sendable, Hashable {
    var left: Float
    var top: Float
    var right: Float
    var bottom: Float

    /// In square units; 0 for a box that is inverted or has a side that is not a number. Computed in double precision,
    /// because there the product of two `Float` sides stays finite.
    var area: Double {
        let width = Double(right) - Double(left)
        let height = Double(bottom) - Double(top)
        return width > 0 && height > 0 ? width * height : 0
    }

    /// The area that both boxes share, divided by the area that they cover together: 0 for separate boxes, 1 for equal
    /// boxes. Always a number: also 0 where a box has no area, is infinite, or has a side that is not a number.
    func intersectionOverUnion(with other: Box) -> Double {
        let (own, others) = (area, other.area)
        guard own > 0, others > 0 else { return 0 }
        let shared = intersection(with: other).area
        let ratio = shared / (own + others - shared)
        return ratio.isFinite ? ratio : 0
    }

    /// The result is inverted when the boxes do not overlap.
    private func intersection(with other: Box) -> Box {
        Box(
            left: max(left, other.left), top: max(top, other.top), right: min(right, other.right),
            bottom: min(bottom, other.bottom))
    }

    /// The box with its sides in order; nil when one of them is not a finite number.
    var upright: Box? {
        guard left.isFinite, top.isFinite, right.isFinite, bottom.isFinite else { return nil }
        return Box(left: min(left, right), top: min(top, bottom), right: max(left, right), bottom: max(top, bottom))
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
