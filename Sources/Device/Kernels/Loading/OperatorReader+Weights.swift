import HearthModelFile

extension OperatorReader {
    /// The weights in an input slot, float32 or int8, for products with floats.
    func weights(
        _ slot: Int, _ name: String, of type: ElementType, rows: Int? = nil, columns: Int? = nil
    ) throws(ModelFileError) -> FloatWeights {
        guard type == .int8 else {
            return .float(try matrix(slot, name, of: .float32, rows: rows, columns: columns))
        }
        let matrix: Matrix<Int8> = try matrix(slot, name, of: .int8, rows: rows, columns: columns)
        return .hybrid(
            HybridProduct(
                matrix, scale: try quantization(of: required(slot, name), name).scale,
                isAsymmetric: node.recurrentOptions?.quantizesAsymmetrically ?? false))
    }

    /// The vector in an input slot, float32 or int8, as floats; nil where the slot is left out.
    func optionalFloats(
        _ slot: Int, _ name: String, of type: ElementType, count: Int
    ) throws(ModelFileError) -> Vector<Float>? {
        guard type == .int8, has(slot) else { return try optionalVector(slot, name, of: .float32, count: count) }
        let stored: Vector<Int8> = try vector(slot, name, of: .int8, count: count)
        return dequantized(stored, scale: try quantization(of: required(slot, name), name).scale)
    }

    /// The matrix in an input slot, float32 or int8, as floats.
    func floats(
        _ slot: Int, _ name: String, of type: ElementType, rows: Int
    ) throws(ModelFileError) -> Matrix<Float> {
        guard type == .int8 else { return try matrix(slot, name, of: .float32, rows: rows) }
        let stored: Matrix<Int8> = try matrix(slot, name, of: .int8, rows: rows)
        let scale = try quantization(of: required(slot, name), name).scale
        return Matrix(rows: rows, columns: stored.columns, elements: dequantized(stored.elements, scale: scale))
    }

    private func dequantized(_ stored: Vector<Int8>, scale: Float) -> Vector<Float> {
        let memory = Memory<Float>(count: stored.count, initial: 0)
        for index in 0..<stored.count { memory.start[index] = Float(stored.start[index]) * scale }
        return Vector(start: UnsafePointer(memory.start), count: memory.count, owner: memory)
    }
}
