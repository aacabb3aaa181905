/// The functions that the file format can fuse into an operator, by its numbers.
enum Activation: Int {
    case none = 0
    case relu = 1
    case reluToOne = 2
    case relu6 = 3
    case tanh = 4
    case signBit = 5

    /// Replaces each of `count` values by its image.
    func apply(_ values: UnsafeMutablePointer<Float>, _ count: Int) {
        switch self {
        case .none: break
        case .relu: for index in 0..<count { values[index] = max(0, values[index]) }
        case .reluToOne: Self.clip(values, count, from: -1, to: 1)
        case .relu6: Self.clip(values, count, from: 0, to: 6)
        case .tanh: Lanes.map(values, count, Transcendental.tanh)
        case .signBit: for index in 0..<count { values[index] = values[index].sign == .minus ? 1 : 0 }
        }
    }

    /// The function of gates; the format never fuses it.
    static func sigmoid(_ values: UnsafeMutablePointer<Float>, _ count: Int) {
        Lanes.map(values, count, Transcendental.sigmoid)
    }

    static func clip(_ values: UnsafeMutablePointer<Float>, _ count: Int, from low: Float, to high: Float) {
        for index in 0..<count { values[index] = min(max(values[index], low), high) }
    }
}
