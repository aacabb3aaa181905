/// What a picture is decoded for: a model's input. A decoder may deliver fewer pixels than the file has, as long as the part
/// that the model sees is not smaller than its input.
public struct DecodeTarget: Sendable, Hashable {
    /// Of the model's input, in pixels.
    public var width: Int
    /// Of the model's input, in pixels.
    public var height: Int
    public var placement: ImagePlacement
    /// The part of the upright original that is looked at; nil for all of it.
    public var region: PixelRect?
    /// Overrides the orientation that the image's file states; nil to believe the file.
    public var orientation: ImageOrientation?

    public init(
        width: Int, height: Int, placement: ImagePlacement = .stretch, region: PixelRect? = nil,
        orientation: ImageOrientation? = nil
    ) {
        self.width = width
        self.height = height
        self.placement = placement
        self.region = region
        self.orientation = orientation
    }
}
