import CSampling

/// For each place along one side of the target: the two source places it lies between, and their weights.
///
/// Pixel centres are at half positions: target place `i` looks at source position `origin + (i + 0.5) * scale - 0.5`.
/// Weights are whole numbers of 1/2048, as in OpenCV's `INTER_LINEAR`, so that results are equal to the byte. Of a part of
/// the source, pixels that it does not touch are not looked at: the same as cutting it out first.
struct BilinearAxis {
    /// What happens where a target place looks beyond the first or last source centre.
    enum Edge {
        /// All weight goes to the edge pixel (columns).
        case snap
        /// The edge pixel stands in for its missing neighbour (rows). The same but for the rounding.
        case `repeat`
    }

    /// Where the part that is shown begins, in source pixels; not negative.
    let origin: Double
    /// Of the part that is shown, in source pixels; more than 0.
    let length: Double
    /// Number of source pixels.
    let source: Int
    /// Number of target pixels.
    let target: Int
    let edge: Edge
    /// Whether the source is stored from its far end.
    let isReversed: Bool

    /// One for each target place, in target order; places count from the source's stored beginning.
    func taps() -> [hearth_tap] {
        let start = min(origin.rounded(.down), Double(source - 1))
        let end = min((origin + length).rounded(.up), Double(source))
        let count = max(Int(end - start), 1)
        // In this order of operations and these types, since the bits of the weights depend on them.
        let scale = 1.0 / (Double(target) / length)
        return (0..<target).map { place in
            let position = Float((Double(place) + 0.5) * scale - 0.5 + (origin - start))
            return tap(position, start: Int(start), count: count)
        }
    }

    /// - Parameter position: In pixels from `start`, of which `count` follow.
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
