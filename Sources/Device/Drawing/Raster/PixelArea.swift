import Foundation

/// A rectangle of whole pixels. It includes `left` and `top`, but not `right` and `bottom`.
struct PixelArea: Hashable {
    var left: Int
    var top: Int
    var right: Int
    var bottom: Int

    var width: Int { right - left }
    var height: Int { bottom - top }
    var isEmpty: Bool { right <= left || bottom <= top }

    init(left: Int, top: Int, right: Int, bottom: Int) {
        self.left = left
        self.top = top
        self.right = right
        self.bottom = bottom
    }

    init(left: Int, top: Int, width: Int, height: Int) {
        self.init(left: left, top: top, right: left + width, bottom: top + height)
    }

    /// The part of `frame` inside `bounds`, rounded to pixels but at least one pixel; nil if there is none.
    init?(_ frame: CGRect, in bounds: PixelArea) {
        let sides = [frame.minX, frame.minY, frame.maxX, frame.maxY].map(Double.init)
        guard sides.allSatisfy(\.isFinite), frame != .infinite,
            let columns = Self.range(sides[0], sides[2], in: bounds.left..<bounds.right),
            let rows = Self.range(sides[1], sides[3], in: bounds.top..<bounds.bottom)
        else { return nil }
        self.init(
            left: columns.lowerBound, top: rows.lowerBound, right: columns.upperBound, bottom: rows.upperBound)
    }

    private static func range(_ from: Double, _ to: Double, in bounds: Range<Int>) -> Range<Int>? {
        let (lower, upper) = (max(from, Double(bounds.lowerBound)), min(to, Double(bounds.upperBound)))
        guard lower < upper else { return nil }
        let start = min(Int(lower.rounded()), bounds.upperBound - 1)
        return start..<max(Int(upper.rounded()), start + 1)
    }

    func outset(by margin: Int) -> PixelArea {
        PixelArea(left: left - margin, top: top - margin, right: right + margin, bottom: bottom + margin)
    }

    func intersection(_ other: PixelArea) -> PixelArea {
        PixelArea(
            left: max(left, other.left), top: max(top, other.top), right: min(right, other.right),
            bottom: min(bottom, other.bottom))
    }

    func contains(_ other: PixelArea) -> Bool { intersection(other) == other }

    func contains(_ x: Int, _ y: Int) -> Bool { left <= x && x < right && top <= y && y < bottom }

    func overlaps(_ other: PixelArea) -> Bool { !intersection(other).isEmpty }
}
