/// For each place along one side of the target: the two source places it lies between, and their weights.
///
/// Pixel centres are at half positions: target place `i` looks at source position `(i + 0.5) * scale - 0.5`. Weights are
/// whole numbers of 1/2048, as in OpenCV's `INTER_LINEAR`, so that results are equal to the byte.
struct BilinearAxis {
    struct Tap {
        /// Source places, within the source.
        let first: Int
        let second: Int
        /// Weights of the two, in 1/2048.
        let firstWeight: Int32
        let secondWeight: Int32
    }

    let taps: [Tap]

    /// What happens where a target place looks beyond the first or last source centre.
    enum Edge {
        /// All weight goes to the edge pixel (columns).
        case snap
        /// The edge pixel stands in for its missing neighbour (rows). The same but for the rounding.
        case `repeat`
    }

    init(source: Int, target: Int, edge: Edge) {
        // In this order of operations and these types, since the bits of the weights depend on them.
        let scale = 1.0 / (Double(target) / Double(source))
        taps = (0..<target).map { place in
            let position = Float((Double(place) + 0.5) * scale - 0.5)
            let floor = position.rounded(.down)
            let first = Int(floor)
            let isBeyond = first < 0 || first >= source - 1
            let fraction = edge == .snap && isBeyond ? 0 : position - floor
            return Tap(
                first: min(max(first, 0), source - 1), second: min(max(first + 1, 0), source - 1),
                firstWeight: Self.weight(1 - fraction), secondWeight: Self.weight(fraction))
        }
    }

    private static func weight(_ share: Float) -> Int32 {
        Int32((share * 2048).rounded(.toNearestOrEven))
    }
}
