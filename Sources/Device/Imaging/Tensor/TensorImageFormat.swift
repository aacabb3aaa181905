/// The form of the image values that a model expects.
package enum TensorImageFormat: Sendable, Hashable {
    /// The RGB bytes unchanged, 0 to 255.
    case uint8

    /// `byte - 128`, for inputs quantized with zero point -128.
    case int8

    /// `(byte - mean) * (1 / std)`, in host byte order. `mean` and `std` have one value for all channels, or three in
    /// the order red, green, blue.
    case float32(mean: [Float], std: [Float])

    /// The bytes of one value of one channel.
    package var bytesPerValue: Int {
        switch self {
        case .uint8, .int8: 1
        case .float32: 4
        }
    }
}
