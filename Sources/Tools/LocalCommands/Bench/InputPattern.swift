import HearthModelFile

/// Fills inputs with values that look random and are the same in every run. Zeros would be a best case, for models whose work
/// depends on their data and for processors that are fast with zeros.
///
/// Floats are from 0 up to 1. Integers of 8 and 16 bits, which usually contain quantized values, use their whole range. Wider
/// integers are 0 or 1: they are usually indices, masks and lengths.
struct InputPattern {
    private var generator: SplitMix64

    /// - Parameter seed: the same seed gives the same values.
    init(seed: UInt64) { generator = SplitMix64(seed: seed) }

    /// `bytes` must be aligned for elements of `type`. Types without a plain value for each element become zeros.
    mutating func fill(_ bytes: UnsafeMutableRawBufferPointer, of type: ElementType) {
        switch type {
        case .float16: store(in: bytes) { Float16(Float.random(in: 0..<0.999, using: &$0)) }
        case .float32: store(in: bytes) { Float.random(in: 0..<1, using: &$0) }
        case .float64: store(in: bytes) { Double.random(in: 0..<1, using: &$0) }
        case .int8, .uint8: store(in: bytes) { UInt8(truncatingIfNeeded: $0.next()) }
        case .int16, .uint16: store(in: bytes) { UInt16(truncatingIfNeeded: $0.next()) }
        case .bool: store(in: bytes) { UInt8($0.next() & 1) }
        case .int32, .uint32: store(in: bytes) { UInt32($0.next() & 1) }
        case .int64, .uint64: store(in: bytes) { $0.next() & 1 }
        default: bytes.initializeMemory(as: UInt8.self, repeating: 0)
        }
    }

    private mutating func store<Element>(
        in bytes: UnsafeMutableRawBufferPointer, _ next: (inout SplitMix64) -> Element
    ) {
        let elements = bytes.bindMemory(to: Element.self)
        for index in elements.indices { elements.initializeElement(at: index, to: next(&generator)) }
    }
}

/// A small generator that gives the same numbers for the same seed on every machine (Steele, Lea and Flood 2014).
struct SplitMix64: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
