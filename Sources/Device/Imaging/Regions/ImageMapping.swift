/// The way back from a model's input to the picture: turns shares of the input's width and height into pixels of the upright
/// original. What `ImageTensorWriter.write` did, undone.
public struct ImageMapping: Sendable, Hashable {
    /// Where the input's left edge lies in the upright original, in pixels.
    let originX: Double
    /// Where the input's top edge lies in the upright original, in pixels.
    let originY: Double
    /// How much of the upright original the input's full width shows, in pixels.
    let width: Double
    /// How much of the upright original the input's full height shows, in pixels.
    let height: Double

    /// The column of the upright original at `share` of the input's width; 0 is the left edge, 1 the right one. Not clipped.
    public func x(_ share: Double) -> Double { originX + share * width }

    /// The row of the upright original at `share` of the input's height; 0 is the top edge, 1 the bottom one. Not clipped.
    public func y(_ share: Double) -> Double { originY + share * height }
}
