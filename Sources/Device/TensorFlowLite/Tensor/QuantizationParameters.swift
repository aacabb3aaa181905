/// How a quantized tensor stands for real numbers: real value = `scale` x (stored value - `zeroPoint`).
public struct QuantizationParameters: Equatable, Hashable, Sendable {
    public let scale: Float
    public let zeroPoint: Int

    init(scale: Float, zeroPoint: Int) {
        self.scale = scale
        self.zeroPoint = zeroPoint
    }
}
