import CSampling
import HearthConcurrency

/// The stored pixels that contribute to each pixel of a tensor. The plan depends only on sizes and orientation, so
/// images of the same size share it.
struct SamplingPlan {
    /// The inputs of a plan.
    struct Key: Hashable {
        let frame: TensorFrame
        /// The size of the upright original, in pixels.
        let uprightWidth: Int
        let uprightHeight: Int
        /// The size of the stored pixels, smaller than the original's after a scaled decode.
        let pixelWidth: Int
        let pixelHeight: Int
        let orientation: ImageOrientation
        let resampling: ImageResampling
    }

    let key: Key

    /// The sources of each sampled stored row, in the order of the frame's rows or, if the orientation swaps sides, of
    /// its columns.
    let rows: [hearth_tap]
    let columns: [hearth_tap]

    /// How many of `rows`, and of `columns`, are averaged for each pixel; usually 1.
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
        // A decoder that reduced the image has already averaged its pixels.
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

/// Keeps the last plan, because a model usually receives images of one size.
final class SamplingPlanCache: Sendable {
    private let last = Lock<SamplingPlan?>(nil)

    func plan(for key: SamplingPlan.Key) -> SamplingPlan {
        if let plan = last.withLock({ $0 }), plan.key == key { return plan }
        let plan = SamplingPlan(key)
        last.withLock { $0 = plan }
        return plan
    }
}
