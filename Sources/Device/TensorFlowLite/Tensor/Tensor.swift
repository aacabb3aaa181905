public import Foundation

/// One input or output of an interpreter: its description, and a copy of its bytes at the time of the call.
public struct Tensor: Equatable, Hashable, Sendable {
    /// The tensor's own name in the model's graph; may be empty.
    public let name: String
    /// The type of the elements.
    public let dataType: DataType
    /// The sizes of the dimensions.
    public let shape: Shape
    /// The elements in row-major order, little-endian, without padding; `values(as:)` reads them. The copy does not
    /// change with later runs.
    public let data: Data
    /// How stored integers represent real numbers; nil unless the whole tensor has one scale.
    public let quantizationParameters: QuantizationParameters?
    /// How stored integers represent real numbers, channel by channel; nil unless each channel has its own scale.
    public let perChannelQuantization: PerChannelQuantization?

    init(
        name: String, dataType: DataType, shape: Shape, data: Data,
        quantizationParameters: QuantizationParameters? = nil,
        perChannelQuantization: PerChannelQuantization? = nil
    ) {
        self.name = name
        self.dataType = dataType
        self.shape = shape
        self.data = data
        self.quantizationParameters = quantizationParameters
        self.perChannelQuantization = perChannelQuantization
    }
}

extension Tensor {
    /// The tensor's description, without its bytes.
    var summary: Description {
        Description(
            name: name, dataType: dataType, shape: shape, quantizationParameters: quantizationParameters,
            perChannelQuantization: perChannelQuantization)
    }
}

extension Tensor {
    /// The type of a tensor's elements.
    ///
    /// The first eight cases are those of the TensorFlow Lite Swift library, in its order. The others follow because
    /// models use these types; a switch over the first eight alone needs a `default` here. ``TensorElement`` lists the
    /// Swift type for each case.
    public enum DataType: Equatable, Hashable, Sendable {
        /// One byte, 0 or 1.
        case bool
        /// Unsigned, 8 bits.
        case uInt8
        /// Signed, 16 bits.
        case int16
        /// Signed, 32 bits.
        case int32
        /// Signed, 64 bits.
        case int64
        /// IEEE 754 half precision.
        case float16
        /// IEEE 754 single precision.
        case float32
        /// IEEE 754 double precision.
        case float64
        /// Signed, 8 bits.
        case int8
        /// Unsigned, 16 bits.
        case uInt16
        /// Unsigned, 32 bits.
        case uInt32
        /// Unsigned, 64 bits.
        case uInt64
        /// Signed, 4 bits (-8 to 7), two to a byte: the first in the low four bits. With an odd count, the last four
        /// bits are 0.
        case int4
        /// Two `float32` values: the real part, then the imaginary part.
        case complex64
        /// Two `float64` values: the real part, then the imaginary part. The current engine loads no model that uses
        /// it.
        case complex128
        /// Any number of bytes, by convention UTF-8. The only type without a fixed size.
        case string
    }
}

extension Tensor.DataType {
    /// The bits of one element; nil for strings.
    var bitWidth: Int? {
        switch self {
        case .int4: 4
        case .bool, .uInt8, .int8: 8
        case .int16, .uInt16, .float16: 16
        case .int32, .uInt32, .float32: 32
        case .int64, .uInt64, .float64, .complex64: 64
        case .complex128: 128
        case .string: nil
        }
    }
}

extension Tensor {
    /// The sizes of a tensor's dimensions, the slowest varying first. A scalar has no dimensions.
    public struct Shape: Equatable, Hashable, Sendable, ExpressibleByArrayLiteral {
        /// The number of dimensions.
        public let rank: Int
        /// The sizes, the slowest varying first.
        public let dimensions: [Int]

        /// Creates a shape from an array of sizes.
        public init(_ dimensions: [Int]) {
            rank = dimensions.count
            self.dimensions = dimensions
        }

        /// Creates a shape from a list of sizes.
        public init(_ elements: Int...) {
            self.init(elements)
        }

        /// Creates a shape from an array literal of sizes.
        public init(arrayLiteral elements: Int...) {
            self.init(elements)
        }
    }
}

extension Tensor.Shape {
    /// The bytes of a tensor of this shape, without padding. Two `int4` elements share a byte; with an odd count, the
    /// last one has a byte to itself.
    ///
    /// nil for strings, whose size depends on their contents; nil also when a dimension is negative, or when the result
    /// does not fit into an `Int`.
    public func byteCount(of dataType: Tensor.DataType) -> Int? {
        guard let bitWidth = dataType.bitWidth, let elementCount else { return nil }
        guard bitWidth >= 8 else {
            let elementsPerByte = 8 / bitWidth
            return elementCount / elementsPerByte + (elementCount.isMultiple(of: elementsPerByte) ? 0 : 1)
        }
        let (bytes, overflow) = elementCount.multipliedReportingOverflow(by: bitWidth / 8)
        return overflow ? nil : bytes
    }

    /// The product of the dimensions, 1 for a scalar; nil when one is negative or the product does not fit into an
    /// `Int`.
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

extension Tensor {
    /// A tensor's name, type, shape and quantization, without its bytes.
    public struct Description: Equatable, Hashable, Sendable {
        /// The tensor's own name in the model's graph; may be empty.
        public let name: String
        /// The type of the elements.
        public let dataType: DataType
        /// The sizes of the dimensions.
        public let shape: Shape
        /// How stored integers represent real numbers; nil unless the whole tensor has one scale.
        public let quantizationParameters: QuantizationParameters?
        /// How stored integers represent real numbers, channel by channel; nil unless each channel has its own scale.
        public let perChannelQuantization: PerChannelQuantization?

        init(
            name: String, dataType: DataType, shape: Shape, quantizationParameters: QuantizationParameters? = nil,
            perChannelQuantization: PerChannelQuantization? = nil
        ) {
            self.name = name
            self.dataType = dataType
            self.shape = shape
            self.quantizationParameters = quantizationParameters
            self.perChannelQuantization = perChannelQuantization
        }
    }
}
