public import Foundation

/// One input or output of an interpreter: what it is, and a copy of its bytes at the time of the call.
public struct Tensor: Equatable, Hashable, Sendable {
    /// The tensor's own name in the model's graph, which may be empty.
    public let name: String
    public let dataType: DataType
    public let shape: Shape
    /// The elements in row-major order, little-endian, without padding; `values(as:)` reads them. A copy: later runs
    /// do not change it.
    public let data: Data
    /// How stored integers stand for real numbers; nil when the tensor is not quantized as a whole.
    public let quantizationParameters: QuantizationParameters?
    /// How stored integers stand for real numbers channel by channel; nil when they do not.
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
    /// The tensor without its bytes.
    var summary: Description {
        Description(
            name: name, dataType: dataType, shape: shape, quantizationParameters: quantizationParameters,
            perChannelQuantization: perChannelQuantization)
    }
}

extension Tensor {
    /// The type of a tensor's elements.
    ///
    /// The first eight cases are those of the TensorFlow Lite Swift library, in its order. The others follow them
    /// because models use these types; a switch over those eight alone needs a `default` here. `values(as:)` tells which
    /// Swift type stands for each.
    public enum DataType: Equatable, Hashable, Sendable {
        /// One byte, 0 or 1.
        case bool
        case uInt8
        case int16
        case int32
        case int64
        /// IEEE 754 half precision.
        case float16
        case float32
        case float64
        case int8
        case uInt16
        case uInt32
        case uInt64
        /// -8 to 7, two to a byte: the first in the low four bits. An odd count leaves the last four bits 0.
        case int4
        /// Two `float32`: the real part, then the imaginary one.
        case complex64
        /// Two `float64`: the real part, then the imaginary one. The present engine loads no model that uses it.
        case complex128
        /// Any number of bytes, by convention UTF-8. The only type without a fixed size.
        case string
    }
}

extension Tensor.DataType {
    /// Bits of one element; nil for strings.
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

extension Tensor {
    /// What a tensor is, without its bytes.
    public struct Description: Equatable, Hashable, Sendable {
        /// The tensor's own name in the model's graph, which may be empty.
        public let name: String
        public let dataType: DataType
        public let shape: Shape
        /// How stored integers stand for real numbers; nil when the tensor is not quantized as a whole.
        public let quantizationParameters: QuantizationParameters?
        /// How stored integers stand for real numbers channel by channel; nil when they do not.
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

extension Tensor {
    /// The elements in row-major order, as many as the shape asks for.
    ///
    /// ```swift
    /// let scores: [Float] = try interpreter.output(at: 0).values()
    /// ```
    ///
    /// Stored values, without a look at quantization: ``dequantizedValues()`` gives real numbers.
    /// - Parameter type: The Swift type that stands for the tensor's ``dataType``; ``TensorElement`` lists them. Nothing
    ///   is converted, except `int4` to `Int8`.
    /// - Throws: `InterpreterError.invalidTensorDataType` when it stands for another; `.invalidTensorDataCount` when the
    ///   bytes are not those of the shape; `.tensorFlowLiteError` with the reason when a string tensor is damaged or,
    ///   read as `String`, is not UTF-8.
    public func values<Element: TensorElement>(
        as type: Element.Type = Element.self
    ) throws(InterpreterError) -> [Element] {
        let coding = Element.tensorCoding
        guard coding.dataTypes.contains(dataType) else { throw .invalidTensorDataType }
        let count = try summary.requiredElementCount()
        if let byteCount = shape.byteCount(of: dataType), byteCount != data.count {
            throw .invalidTensorDataCount(provided: data.count, required: byteCount)
        }
        let values = try coding.decode(data, dataType, count)
        guard values.count == count else { throw .invalidTensorDataCount(provided: values.count, required: count) }
        return values
    }
}

extension Tensor.Description {
    /// The bytes of a tensor that holds `values`.
    /// - Throws: `InterpreterError.invalidTensorDataType`, `.invalidTensorDataCount` (in bytes where an element has
    ///   whole bytes, else in elements), and `.tensorFlowLiteError` for values that no such tensor holds; checked in
    ///   this order.
    func data<Element: TensorElement>(of values: [Element]) throws(InterpreterError) -> Data {
        let coding = Element.tensorCoding
        guard coding.dataTypes.contains(dataType) else { throw .invalidTensorDataType }
        try require(count: values.count)
        return try coding.encode(values, dataType)
    }

    func require(count: Int) throws(InterpreterError) {
        let required = try requiredElementCount()
        guard count != required else { return }
        let unit = dataType.bitWidth.map { max($0 / 8, 1) } ?? 1
        throw .invalidTensorDataCount(provided: count * unit, required: required * unit)
    }

    /// - Throws: When there cannot be so many elements.
    func requiredElementCount() throws(InterpreterError) -> Int {
        guard let count = shape.elementCount, dataType.bitWidth == nil || shape.byteCount(of: dataType) != nil else {
            throw .tensorFlowLiteError("No tensor can have the shape \(shape.dimensions).")
        }
        return count
    }
}
