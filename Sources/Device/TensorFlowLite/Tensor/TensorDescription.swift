extension Tensor {
    /// What a tensor is, without its bytes.
    public struct Description: Equatable, Hashable, Sendable {
        /// The tensor's own name in the model's graph, which may be empty.
        public let name: String
        public let dataType: DataType
        public let shape: Shape
        /// How stored integers stand for real numbers; nil when the tensor is not quantized as a whole.
        public let quantizationParameters: QuantizationParameters?
    }
}
