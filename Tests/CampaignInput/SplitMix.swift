import Foundation

/// SplitMix64 with the draws that are needed.
package struct SplitMix: Sendable {
    private var state: UInt64

    package init(seed: UInt64) { state = seed }

    package mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var value = state
        value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
        value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
        return value ^ (value >> 31)
    }

    /// 0 to 1, 1 excluded.
    package mutating func uniform() -> Double { Double(next() >> 11) * 0x1p-53 }

    /// Mean 0, deviation 1 (Box and Muller).
    package mutating func normal() -> Double {
        (-2 * log(1 - uniform())).squareRoot() * cos(2 * .pi * uniform())
    }
}
