/// How an image is reduced to the size of a model's input.
public enum ImageResampling: Sendable, Hashable {
    /// Plain bilinear sampling between four neighbours, for every size, like the TensorFlow Lite Task Library. It
    /// ignores most pixels of a large image, so the result depends on the details that happen to be at the sampled
    /// points.
    case bilinear

    /// Bilinear sampling with several averaged samples along a side that shrinks to less than a third. The default. A
    /// JPEG that was decoded at a smaller size is already averaged, and is then sampled plainly.
    case antialiased

    /// The largest distance between samples, in source pixels. A smaller one would make images smoother than those with
    /// which models are trained and tested.
    private static let maxStep = 3.0

    /// More samples per pixel along one side make no visible difference, and the sums of the C loops cannot hold more.
    static let maxSamples = 63

    /// The number of samples per pixel, along a side that shrinks by `factor`.
    func samples(shrinkingBy factor: Double) -> Int {
        guard self == .antialiased, factor > Self.maxStep else { return 1 }
        return Int(min((factor / Self.maxStep).rounded(.up), Double(Self.maxSamples)))
    }
}
