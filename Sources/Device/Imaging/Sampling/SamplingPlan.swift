import CSampling
import Synchronization

/// Which stored pixels make up each pixel of a tensor. Depends on sizes and orientation alone, so that images of one size
/// share a plan.
struct SamplingPlan {
    /// What a plan is made from.
    struct Key: Hashable {
        let frame: TensorFrame
        /// Size of the upright original, in pixels.
        let uprightWidth: Int
        let uprightHeight: Int
        /// Size of the stored pixels, fewer than the original's after a scaled decode.
        let pixelWidth: Int
        let pixelHeight: Int
        let orientation: ImageOrientation
        let resampling: ImageResampling
    }

    let key: Key

    /// For each stored row that is sampled: what it is blended from. In the order of the frame's rows or, where the
    /// orientation swaps sides, of its columns.
    let rows: [hearth_tap]
    let columns: [hearth_tap]

    /// How many of `rows`, and of `columns`, are averaged for each pixel; mostly 1.
    let rowsPerPixel: Int
    let columnsPerPixel: Int

    init(_ key: Key) {
        let (frame, orientation) = (key.frame, key.orientation)
        let size = orientation.uprightSize(storedWidth: key.pixelWidth, storedHeight: key.pixelHeight)
        let shrinking = (
            x: Double(size.width) / Double(key.uprightWidth), y: Double(size.height) / Double(key.uprightHeight)
        )
        let swaps = orientation.swapsSides
        let shown = (width: frame.width * shrinking.x, height: frame.height * shrinking.y)
        // A decoder that left pixels out averaged them.
        let resampling = size == (key.uprightWidth, key.uprightHeight) ? key.resampling : .bilinear
        let samples = (
            across: resampling.samples(shrinkingBy: shown.width / Double(frame.columns)),
            down: resampling.samples(shrinkingBy: shown.height / Double(frame.rows))
        )
        let across = BilinearAxis(
            origin: frame.x * shrinking.x, length: shown.width, source: size.width,
            target: frame.columns * samples.across, edge: .snap,
            isReversed: swaps ? orientation.reversesRows : orientation.reversesColumns)
        let down = BilinearAxis(
            origin: frame.y * shrinking.y, length: shown.height, source: size.height,
            target: frame.rows * samples.down, edge: .repeat,
            isReversed: swaps ? orientation.reversesColumns : orientation.reversesRows)
        self.key = key
        (rows, columns) = swaps ? (across.taps(), down.taps()) : (down.taps(), across.taps())
        (rowsPerPixel, columnsPerPixel) = swaps ? (samples.across, samples.down) : (samples.down, samples.across)
    }
}

/// Keeps the plan that was used last: a model mostly sees images of one size.
final class SamplingPlanCache: Sendable {
    private let last = Mutex<SamplingPlan?>(nil)

    func plan(for key: SamplingPlan.Key) -> SamplingPlan {
        if let plan = last.withLock({ $0 }), plan.key == key { return plan }
        let plan = SamplingPlan(key)
        last.withLock { $0 = plan }
        return plan
    }
}

/// How an image's pixels make those of a model's input where it has to become smaller.
public enum ImageResampling: Sendable, Hashable {
    /// Plain bilinear between four neighbours, whatever the size: what the TensorFlow Lite Task Library does. Of a large image
    /// most pixels are not looked at, so the answer depends on what happens to lie where.
    case bilinear

    /// The same, but where a side shrinks to less than a third, the mean of several such samples. The usual. A JPEG that was
    /// decoded at a smaller size is averaged already, and then sampled plainly.
    case antialiased

    /// From one sample to the next at most, in source pixels. Closer ones would make images smoother than those that models
    /// are trained and tested with.
    private static let maxStep = 3.0

    /// More samples to a pixel, along one side, give nothing that could be seen; and the sums of the C loops hold no more.
    static let maxSamples = 63

    /// How many samples make a pixel, along a side that shrinks by `factor`.
    func samples(shrinkingBy factor: Double) -> Int {
        guard self == .antialiased, factor > Self.maxStep else { return 1 }
        return Int(min((factor / Self.maxStep).rounded(.up), Double(Self.maxSamples)))
    }
}
