/// A part of a picture, in pixels of the upright original; (0, 0) is its top left corner.
public struct PixelRect: Sendable, Hashable {
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
}
