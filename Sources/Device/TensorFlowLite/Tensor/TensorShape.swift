extension Tensor {
    /// The sizes of a tensor's dimensions, the slowest varying first. A scalar has none.
    public struct Shape: Equatable, Hashable, Sendable, ExpressibleByArrayLiteral {
        /// The number of dimensions.
        public let rank: Int
        public let dimensions: [Int]

        public init(_ dimensions: [Int]) {
            rank = dimensions.count
            self.dimensions = dimensions
        }

        public init(_ elements: Int...) {
            self.init(elements)
        }

        public init(arrayLiteral elements: Int...) {
            self.init(elements)
        }
    }
}

extension Tensor.Shape {
    /// Bytes of a tensor of this shape; nil when a dimension is negative or the product does not fit an `Int`.
    func byteCount(elementByteCount: Int) -> Int? {
        var bytes = elementByteCount
        for dimension in dimensions {
            let (product, overflow) = bytes.multipliedReportingOverflow(by: dimension)
            guard dimension >= 0, !overflow else { return nil }
            bytes = product
        }
        return bytes
    }
}
