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
