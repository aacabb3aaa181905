/// How a picture is brought to the proportions of a model's input.
public enum ImagePlacement: Sendable, Hashable {
    /// All of it, each side scaled by itself. What TensorFlow Lite's own tools do with labelers and detectors.
    case stretch

    /// All of it, proportions kept, centred; what is left over on two sides gets this gray (0 to 255). Letterboxing.
    case fit(background: UInt8 = 0)

    /// The largest centred part that has the input's proportions.
    case crop
}
