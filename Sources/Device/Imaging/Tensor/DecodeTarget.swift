/// What an image is decoded for: a model's input. A decoder may deliver fewer pixels than the file has, as long as the part
/// that the model sees has `oversampling` times as many along each side as the input.
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
    /// How many decoded pixels there must be for each of the input's, along both sides. Values below 1 act as 1.
    public var oversampling: Double

    /// Enough for labelers: 1.5, and for small inputs as much as leaves 256 pixels a side, which costs hardly any time.
    ///
    /// Over the photos tried, no first label changed and scores moved by less than 0.08 for nine out of ten images, 0.13 at
    /// most, against the image decoded whole. With a cover of 1 a score moved by 0.27, since a smaller decode averages what
    /// plain bilinear sampling leaves out; boxes of detectors hardly moved even then.
    public static func defaultOversampling(width: Int, height: Int) -> Double {
        max(1.5, 256 / Double(max(1, min(width, height))))
    }

    /// - Parameter cover: nil for `defaultOversampling(width:height:)`.
    public init(
        width: Int, height: Int, placement: ImagePlacement = .stretch, region: PixelRect? = nil,
        orientation: ImageOrientation? = nil, oversampling: Double? = nil
    ) {
        self.width = width
        self.height = height
        self.placement = placement
        self.region = region
        self.orientation = orientation
        self.oversampling = oversampling ?? Self.defaultOversampling(width: width, height: height)
    }
}

/// How an image is brought to the proportions of a model's input.
public enum ImagePlacement: Sendable, Hashable {
    /// All of it, each side scaled by itself. What TensorFlow Lite's own tools do with labelers and detectors.
    case stretch

    /// All of it, proportions kept, centred; what is left over on two sides gets this gray (0 to 255). Letterboxing.
    case fit(background: UInt8 = 0)

    /// The largest centred part that has the input's proportions.
    case crop
}

/// A part of an image, in pixels of the upright original; (0, 0) is its top left corner.
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

    /// Whether it is not empty and all of it lies in an image of `size`.
    func isInside(_ size: (width: Int, height: Int)) -> Bool {
        // Compared so that no sum can overflow.
        x >= 0 && y >= 0 && width >= 1 && height >= 1 && width <= size.width && height <= size.height
            && x <= size.width - width && y <= size.height - height
    }
}
