/// A part of a picture, in pixels of the upright original; (0, 0) is its top left corner.
public struct PixelRect: Sendable, Hashable, CustomStringConvertible {
    public var x: Int
    public var y: Int
    /// At least 1.
    public var width: Int
    /// At least 1.
    public var height: Int

    public init(x: Int, y: Int, width: Int, height: Int) {
        self.x = x
        self.y = y
        self.width = width
        self.height = height
    }

    public var description: String { "\(width) x \(height) at (\(x), \(y))" }

    /// Whether it is not empty and all of it lies in a picture of `size`.
    func isInside(_ size: (width: Int, height: Int)) -> Bool {
        // Compared so that no sum can overflow.
        x >= 0 && y >= 0 && width >= 1 && height >= 1 && width <= size.width && height <= size.height
            && x <= size.width - width && y <= size.height - height
    }
}
