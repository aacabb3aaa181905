import HearthModelFile

/// Reads the tensors of one operator. It does not trust the file: it checks indices, types, shapes and byte counts
/// before it reads any byte.
struct OperatorReader {
    let bytes: ModelBytes
    let node: ModelGraph.Operator
    private let tensors: [ModelGraph.Tensor]
    /// The operator's name in error texts: "operator 3 (LSTM) of subgraph 0".
    private let place: String

    init(
        _ bytes: ModelBytes, _ graph: ModelGraph, subgraph: Int, operator number: Int
    ) throws(ModelFileError) {
        guard graph.subgraphs.indices.contains(subgraph),
            graph.subgraphs[subgraph].operators.indices.contains(number)
        else {
            throw ModelFileError(.malformed, "the model has no operator \(number) in subgraph \(subgraph)")
        }
        self.bytes = bytes
        node = graph.subgraphs[subgraph].operators[number]
        tensors = graph.subgraphs[subgraph].tensors
        // Cleans the name: a file can contain anything.
        place = graph.text(operator: number, in: subgraph)
    }

    // MARK: Tensors by slot

    /// The tensor in an input slot; nil if the slot is omitted.
    func optional(_ slot: Int) throws(ModelFileError) -> ModelGraph.Tensor? {
        guard node.inputs.indices.contains(slot), node.inputs[slot] != -1 else { return nil }
        return try tensor(node.inputs[slot])
    }

    func required(_ slot: Int, _ name: String) throws(ModelFileError) -> ModelGraph.Tensor {
        guard let tensor = try optional(slot) else { throw malformed("has no \(name)") }
        return tensor
    }

    func has(_ slot: Int) -> Bool {
        node.inputs.indices.contains(slot) && node.inputs[slot] != -1
    }

    func intermediate(_ number: Int) throws(ModelFileError) -> ModelGraph.Tensor? {
        guard node.intermediates.indices.contains(number) else { return nil }
        return try tensor(node.intermediates[number])
    }

    /// Requires exactly one output, with elements of the input's type.
    func requireOneOutput(like input: ModelGraph.Tensor) throws(ModelFileError) {
        guard node.outputs.count == 1 else { throw malformed("has \(node.outputs.count) outputs and not one") }
        let output = try tensor(node.outputs[0])
        guard output.type == input.type else {
            throw unsupported("turns \(input.type) into \(output.type)")
        }
    }

    /// The tensor's only scale and zero point.
    func quantization(
        of tensor: ModelGraph.Tensor, _ name: String
    ) throws(ModelFileError) -> (scale: Float, zeroPoint: Int) {
        guard let quantization = tensor.quantization, !quantization.scales.isEmpty else {
            throw malformed("has no scale for its \(name)")
        }
        guard quantization.scales.count == 1, quantization.zeroPoints.count <= 1 else {
            throw unsupported("has more than one scale for its \(name)")
        }
        let scale = quantization.scales[0]
        guard scale.isFinite, scale > 0 else {
            throw malformed("has the impossible scale \(scale) for its \(name)")
        }
        let zeroPoint = quantization.zeroPoints.first ?? 0
        guard (-128...127).contains(zeroPoint) else {
            throw malformed("has the impossible zero point \(zeroPoint) for its \(name)")
        }
        return (scale, Int(zeroPoint))
    }

    private func tensor(_ index: Int) throws(ModelFileError) -> ModelGraph.Tensor {
        guard tensors.indices.contains(index) else { throw malformed("has no tensor \(index)") }
        return tensors[index]
    }

    // MARK: Refusals

    /// - Parameter problem: Continues "operator 3 (LSTM) of subgraph 0 ...".
    func malformed(_ problem: String) -> ModelFileError {
        ModelFileError(.malformed, "the model is damaged: \(place) \(problem)")
    }

    /// - Parameter variant: Continues "operator 3 (LSTM) of subgraph 0 ...".
    func unsupported(_ variant: String) -> ModelFileError {
        ModelFileError(
            .unsupported,
            "this engine cannot run the model: \(place) \(variant), which is not supported; export it in another form")
    }
}

extension OperatorReader {
    /// The constant matrix in an input slot.
    /// - Parameters:
    ///   - rows: The required number of rows; nil for any.
    ///   - columns: The required number of columns; nil for any.
    func matrix<Element: BitwiseCopyable>(
        _ slot: Int, _ name: String, of type: ElementType, rows: Int? = nil, columns: Int? = nil
    ) throws(ModelFileError) -> Matrix<Element> {
        let tensor = try required(slot, name)
        guard tensor.shape.count == 2 else { throw malformed("has \(name) of shape \(tensor.shape), not a matrix") }
        let (ownRows, ownColumns) = (tensor.shape[0], tensor.shape[1])
        guard ownRows == rows ?? ownRows, ownColumns == columns ?? ownColumns else {
            let wanted = "\(rows ?? ownRows) x \(columns ?? ownColumns)"
            throw malformed("has \(name) of shape \(ownRows) x \(ownColumns) where \(wanted) is needed")
        }
        return Matrix(rows: ownRows, columns: ownColumns, elements: try elements(tensor, name, of: type))
    }

    /// The constant vector of `count` elements in an input slot.
    func vector<Element: BitwiseCopyable>(
        _ slot: Int, _ name: String, of type: ElementType, count: Int
    ) throws(ModelFileError) -> Vector<Element> {
        let tensor = try required(slot, name)
        let vector: Vector<Element> = try elements(tensor, name, of: type)
        guard vector.count == count else {
            throw malformed("has \(name) of \(vector.count) elements where \(count) are needed")
        }
        return vector
    }

    /// The constant vector of `count` elements in an input slot; nil if the slot is omitted.
    func optionalVector<Element: BitwiseCopyable>(
        _ slot: Int, _ name: String, of type: ElementType, count: Int
    ) throws(ModelFileError) -> Vector<Element>? {
        has(slot) ? try vector(slot, name, of: type, count: count) : nil
    }

    /// The batch of the state in an input slot, whose number of elements must be a multiple of `depth`.
    /// - Returns: The batch.
    func stateBatch(
        _ slot: Int, _ name: String, of type: ElementType, depth: Int
    ) throws(ModelFileError) -> Int {
        let tensor = try required(slot, name)
        guard tensor.isVariable else { throw malformed("has a \(name) that is not marked as variable") }
        guard tensor.type == type else { throw unsupported("has a \(name) of type \(tensor.type)") }
        let count = try elementCount(tensor, name)
        guard count.isMultiple(of: depth) else {
            throw malformed("has a \(name) of \(count) elements, which is not a multiple of \(depth)")
        }
        guard count <= Self.largestState else {
            throw ModelFileError(
                .tooLarge, "the model is too large: \(place) has a \(name) of \(count) elements, too many to be kept")
        }
        return count / depth
    }

    /// More than any model needs, and small enough to allocate without a check.
    private static var largestState: Int { 1 << 24 }

    private func elements<Element: BitwiseCopyable>(
        _ tensor: ModelGraph.Tensor, _ name: String, of type: ElementType
    ) throws(ModelFileError) -> Vector<Element> {
        guard tensor.type == type else { throw unsupported("has \(name) of type \(tensor.type) instead of \(type)") }
        let count = try elementCount(tensor, name)
        guard let data = tensor.data else { throw unsupported("has \(name) that is not a constant") }
        let (size, overflows) = count.multipliedReportingOverflow(by: MemoryLayout<Element>.stride)
        guard !overflows, data.count == size else {
            throw malformed(
                "has \(name) of shape \(tensor.shape) in \(data.count) bytes; weights have to be dense")
        }
        guard data.lowerBound >= 0, data.upperBound <= bytes.count else {
            throw malformed("has \(name) beyond the end of the file")
        }
        return vector(at: bytes.baseAddress + data.lowerBound, count)
    }

    /// In place if the address is aligned for the elements, else a copy.
    private func vector<Element: BitwiseCopyable>(at address: UnsafeRawPointer, _ count: Int) -> Vector<Element> {
        guard Int(bitPattern: address).isMultiple(of: MemoryLayout<Element>.alignment) else {
            let copy = address.loadUnaligned(as: Element.self)
            let memory = AlignedBuffer(count: count, initial: copy)
            UnsafeMutableRawPointer(memory.start).copyMemory(
                from: address, byteCount: count * MemoryLayout<Element>.stride)
            return Vector(start: UnsafePointer(memory.start), count: count, owner: memory)
        }
        return Vector(start: address.assumingMemoryBound(to: Element.self), count: count, owner: bytes)
    }

    private func elementCount(_ tensor: ModelGraph.Tensor, _ name: String) throws(ModelFileError) -> Int {
        var count = 1
        for dimension in tensor.shape {
            let (product, overflows) = count.multipliedReportingOverflow(by: dimension)
            guard dimension > 0, !overflows else { throw malformed("has \(name) of shape \(tensor.shape)") }
            count = product
        }
        return count
    }
}

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

    /// The vector in an input slot, float32 or int8, as floats; nil if the slot is omitted.
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
        let memory = AlignedBuffer<Float>(count: stored.count, initial: 0)
        for index in 0..<stored.count { memory.start[index] = Float(stored.start[index]) * scale }
        return Vector(start: UnsafePointer(memory.start), count: memory.count, owner: memory)
    }
}
