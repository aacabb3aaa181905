import HearthModelFile

/// What follows from the scale of an int8 LSTM's cell state, which is a power of two.
struct CellScale {
    /// Tanh of the cell state.
    let tanh: ActivationTable
    /// Fractional bits to drop from the product of input gate and cell gate.
    private let shift: Int
    /// In the cell state's steps; 0 for none.
    private let clip: Int16

    init(_ reader: OperatorReader, clip: Float) throws(ModelFileError) {
        let scale = try reader.quantization(
            of: reader.required(LSTMSlot.cellState, "cell state"), "cell state"
        ).scale
        let exponent = Int(scale.exponent)
        guard scale.significand == 1, (-15 ... -9).contains(exponent) else {
            throw reader.unsupported("has a cell state of scale \(scale), no power of two from 2^-15 to 2^-9")
        }
        tanh = .tanh(integerBits: 15 + exponent)
        shift = 30 + exponent
        self.clip = clip > 0 ? Int16(min(clip / scale, 32_767)) : 0
    }

    /// cell = forget x cell + admit x candidate, clipped.
    func update(
        _ cell: UnsafeMutablePointer<Int16>, _ count: Int, forget: UnsafePointer<Int16>,
        admit: UnsafePointer<Int16>, candidate: UnsafePointer<Int16>
    ) {
        for index in 0..<count {
            let kept = product(forget[index], cell[index], shift: 15)
            let added = product(admit[index], candidate[index], shift: shift)
            cell[index] = FixedPoint.saturatingAdd(kept, added)
        }
        guard clip > 0 else { return }
        for index in 0..<count { cell[index] = min(max(cell[index], -clip), clip) }
    }

    @inline(__always)
    private func product(_ left: Int16, _ right: Int16, shift: Int) -> Int16 {
        Int16(truncatingIfNeeded: FixedPoint.roundingDivide(Int32(left) &* Int32(right), byPowerOfTwo: shift))
    }
}
