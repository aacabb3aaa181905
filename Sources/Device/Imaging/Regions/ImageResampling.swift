/// How a picture's pixels make those of a model's input where it has to become smaller.
public enum ImageResampling: Sendable, Hashable {
    /// Plain bilinear between four neighbours, whatever the size: what the TensorFlow Lite Task Library does. Of a picture that
    /// shrinks to less than half, pixels between are not looked at, so the answer depends on what happens to lie where.
    case bilinear

    /// The same, but where a side shrinks to less than a third, the mean of several such samples, so that all pixels count.
    /// The usual.
    case antialiased

    /// Above which factor a side is averaged. Below it models see what they were trained and tested with.
    static let plainFactor = 3.0

    /// More samples to a pixel, along one side, give nothing that could be seen; and the sums of the C loops hold no more.
    static let mostSamples = 63

    /// How many samples make a pixel, along a side that shrinks by `factor`. Each looks at two source pixels, so that half the
    /// factor looks at all.
    func samples(shrinkingBy factor: Double) -> Int {
        guard self == .antialiased, factor > Self.plainFactor else { return 1 }
        return min(Int((factor / 2).rounded(.up)), Self.mostSamples)
    }
}
