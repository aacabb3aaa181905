import CSampling

/// For each position along one side of the target: the two source positions between which it is, and their weights.
///
/// Pixel centres are at half positions: target position `i` maps to source position `origin + (i + 0.5) * scale - 0.5`.
/// Weights are integers in units of 1/2048, as in OpenCV's `INTER_LINEAR`, so that results are equal byte for byte. If
/// only a part of the source is shown, pixels outside of it are ignored, as if it had been cut out first.
struct BilinearAxis {
    /// What happens where a target position is beyond the first or last source centre.
    enum Edge {
        /// All weight is on the edge pixel (columns).
        case snap
        /// The edge pixel replaces its missing neighbour (rows). The result differs only in rounding.
        case `repeat`
    }

    /// The start of the shown part, in source pixels; not negative.
    let origin: Double
    /// The length of the shown part, in source pixels; more than 0.
    let length: Double
    /// The number of source pixels.
    let source: Int
    /// The number of target pixels.
    let target: Int
    let edge: Edge
    /// Whether the source is stored from its opposite end.
    let isReversed: Bool

    /// One for each target position, in target order. Positions count from the source's first stored pixel.
    func taps() -> [hearth_tap] {
        let start = min(origin.rounded(.down), Double(source - 1))
        let end = min((origin + length).rounded(.up), Double(source))
        let count = max(Int(end - start), 1)
        // This order of operations and these types are required, because the bits of the weights depend on them.
        let scale = 1.0 / (Double(target) / length)
        return (0..<target).map { place in
            let position = Float((Double(place) + 0.5) * scale - 0.5 + (origin - start))
            return tap(position, start: Int(start), count: count)
        }
    }

    /// - Parameter position: In pixels from `start`, after which there are `count` pixels.
    private func tap(_ position: Float, start: Int, count: Int) -> hearth_tap {
        let floor = position.rounded(.down)
        let first = Int(floor)
        let isBeyond = first < 0 || first >= count - 1
        let fraction = edge == .snap && isBeyond ? 0 : position - floor
        let places = (start + min(max(first, 0), count - 1), start + min(max(first + 1, 0), count - 1))
        let weights = (Self.weight(1 - fraction), Self.weight(fraction))
        return isReversed
            ? hearth_tap(
                first: Int32(source - 1 - places.1), second: Int32(source - 1 - places.0), first_weight: weights.1,
                second_weight: weights.0)
            : hearth_tap(
                first: Int32(places.0), second: Int32(places.1), first_weight: weights.0, second_weight: weights.1)
    }

    private static func weight(_ share: Float) -> Int16 {
        Int16((share * 2048).rounded(.toNearestOrEven))
    }
}
