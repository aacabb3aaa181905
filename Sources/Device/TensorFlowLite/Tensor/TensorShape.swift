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
    /// Bytes of a tensor of this shape, without padding. Two `int4` share a byte, and an odd one has a byte to itself.
    ///
    /// nil for strings, whose size depends on what they say; when a dimension is negative; and when the result does not
    /// fit an `Int`.
    public func byteCount(of dataType: Tensor.DataType) -> Int? {
        guard let bitWidth = dataType.bitWidth, let elementCount else { return nil }
        guard bitWidth >= 8 else {
            let elementsPerByte = 8 / bitWidth
            return elementCount / elementsPerByte + (elementCount.isMultiple(of: elementsPerByte) ? 0 : 1)
        }
        let (bytes, overflow) = elementCount.multipliedReportingOverflow(by: bitWidth / 8)
        return overflow ? nil : bytes
    }

    /// The product of the dimensions, 1 for a scalar; nil when one is negative or the product does not fit an `Int`.
    var elementCount: Int? {
        Self.product(dimensions[...])
    }

    static func product(_ dimensions: ArraySlice<Int>) -> Int? {
        var result = 1
        for dimension in dimensions {
            let (product, overflow) = result.multipliedReportingOverflow(by: dimension)
            guard dimension >= 0, !overflow else { return nil }
            result = product
        }
        return result
    }
}
