/// How a tensor that is quantized channel by channel stands for real numbers: along ``dimension``, the elements at
/// index i have the real values `scales[i]` x (stored value - `zeroPoints[i]`).
public struct PerChannelQuantization: Equatable, Hashable, Sendable {
    /// One for each channel.
    public let scales: [Float]
    /// One for each channel.
    public let zeroPoints: [Int]
    /// The index, in the tensor's shape, of the dimension that counts the channels.
    public let dimension: Int

    init(scales: [Float], zeroPoints: [Int], dimension: Int) {
        self.scales = scales
        self.zeroPoints = zeroPoints
        self.dimension = dimension
    }
}
