public import Foundation

/// One input or output of an interpreter: what it is, and a copy of its bytes at the time of the call.
public struct Tensor: Equatable, Hashable, Sendable {
    /// The tensor's own name in the model's graph, which may be empty.
    public let name: String
    public let dataType: DataType
    public let shape: Shape
    /// The elements in row-major order, little-endian, without padding. A copy: later runs do not change it.
    public let data: Data
    /// How stored integers stand for real numbers; nil when the tensor is not quantized as a whole.
    public let quantizationParameters: QuantizationParameters?

    init(
        name: String, dataType: DataType, shape: Shape, data: Data,
        quantizationParameters: QuantizationParameters? = nil
    ) {
        self.name = name
        self.dataType = dataType
        self.shape = shape
        self.data = data
        self.quantizationParameters = quantizationParameters
    }
}
