/// A part of an image, in pixels of the upright original; (0, 0) is its top left corner.
public struct PixelRect: Sendable, Hashable, CustomStringConvertible {
    /// The left edge.
    public var x: Int
    /// The top edge.
    public var y: Int
    /// The width, at least 1.
    public var width: Int
    /// The height, at least 1.
    public var height: Int

    /// Creates a rectangle.
    public init(x: Int, y: Int, width: Int, height: Int) {
        self.x = x
        self.y = y
        self.width = width
        self.height = height
    }

    /// The size and the position, for people.
    public var description: String { "\(width) x \(height) at (\(x), \(y))" }

    /// Whether the rectangle is not empty and is completely inside an image of `size`.
    func isInside(_ size: (width: Int, height: Int)) -> Bool {
        // Compared without sums, which could overflow.
        x >= 0 && y >= 0 && width >= 1 && height >= 1 && width <= size.width && height <= size.height
            && x <= size.width - width && y <= size.height - height
    }
}
