import HearthModelFile

extension OperatorReader {
    /// The constant matrix in an input slot.
    /// - Parameters:
    ///   - rows: nil where the matrix itself decides.
    ///   - columns: nil where the matrix itself decides.
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

    /// As ``vector(_:_:of:count:)``; nil where the slot is left out.
    func optionalVector<Element: BitwiseCopyable>(
        _ slot: Int, _ name: String, of type: ElementType, count: Int
    ) throws(ModelFileError) -> Vector<Element>? {
        has(slot) ? try vector(slot, name, of: type, count: count) : nil
    }

    /// How many elements the state in an input slot has: a whole number of batches of `depth`.
    /// - Returns: the batch.
    func stateBatch(
        _ slot: Int, _ name: String, of type: ElementType, depth: Int
    ) throws(ModelFileError) -> Int {
        let tensor = try required(slot, name)
        guard tensor.isVariable else { throw malformed("has a \(name) that is not marked as variable") }
        guard tensor.type == type else { throw unsupported("has a \(name) of type \(tensor.type)") }
        let count = try elementCount(tensor, name)
        guard count.isMultiple(of: depth) else {
            throw malformed("has a \(name) of \(count) elements, which is no multiple of \(depth)")
        }
        guard count <= Self.largestState else {
            throw ModelFileError(
                .tooLarge, malformed("has a \(name) of \(count) elements, too many to be kept").message)
        }
        return count / depth
    }

    /// More than any model needs, and little enough to be allocated without asking.
    private static var largestState: Int { 1 << 24 }

    private func elements<Element: BitwiseCopyable>(
        _ tensor: ModelGraph.Tensor, _ name: String, of type: ElementType
    ) throws(ModelFileError) -> Vector<Element> {
        guard tensor.type == type else { throw unsupported("has \(name) of type \(tensor.type) instead of \(type)") }
        let count = try elementCount(tensor, name)
        guard let data = tensor.data else { throw unsupported("computes its \(name) while it runs") }
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

    /// In place where the address suits the elements, else a copy.
    private func vector<Element: BitwiseCopyable>(at address: UnsafeRawPointer, _ count: Int) -> Vector<Element> {
        guard Int(bitPattern: address).isMultiple(of: MemoryLayout<Element>.alignment) else {
            let copy = address.loadUnaligned(as: Element.self)
            let memory = Memory(count: count, initial: copy)
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
