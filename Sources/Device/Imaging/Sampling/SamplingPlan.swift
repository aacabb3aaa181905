import CSampling

/// Which stored pixels make up each pixel of a tensor. Depends on sizes and orientation alone, so that pictures of one size
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
