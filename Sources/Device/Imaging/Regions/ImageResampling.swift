/// How a picture's pixels make those of a model's input where it has to become smaller.
public enum ImageResampling: Sendable, Hashable {
    /// Plain bilinear between four neighbours, whatever the size: what the TensorFlow Lite Task Library does. Of a large picture
    /// most pixels are not looked at, so the answer depends on what happens to lie where.
    case bilinear

    /// The same, but where a side shrinks to less than a third, the mean of several such samples. The usual. A JPEG that was
    /// decoded at a smaller size is averaged already, and then sampled plainly.
    case antialiased

    /// From one sample to the next at most, in source pixels. Closer ones would make pictures smoother than those that models
    /// are trained and tested with.
    private static let widestStep = 3.0

    /// More samples to a pixel, along one side, give nothing that could be seen; and the sums of the C loops hold no more.
    static let mostSamples = 63

    /// How many samples make a pixel, along a side that shrinks by `factor`.
    func samples(shrinkingBy factor: Double) -> Int {
        guard self == .antialiased, factor > Self.widestStep else { return 1 }
        return Int(min((factor / Self.widestStep).rounded(.up), Double(Self.mostSamples)))
    }
}
