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
