/// The form in which a model expects an image: its channels, their arrangement, and the type of the values.
package struct TensorImageFormat: Sendable, Hashable {
    /// Which channels a pixel has, in the tensor's order.
    package enum Channels: String, Sendable, Hashable, CaseIterable {
        case rgb, bgr
        /// One channel: 0.299 red + 0.587 green + 0.114 blue (ITU-R BT.601), in whole bytes, rounded as Pillow does.
        case gray
        /// The fourth channel is opacity, which is always 255.
        case rgba

        /// The number of channels.
        package var count: Int {
            switch self {
            case .rgb, .bgr: 3
            case .gray: 1
            case .rgba: 4
            }
        }
    }

    /// What is stored for a byte of a channel.
    package enum Values: Sendable, Hashable {
        /// `(byte - mean) / std`, in host byte order. `mean` and `std` have one value for all channels, or one for each in
        /// the tensor's order.
        case float32(mean: [Float], std: [Float], Division)

        /// `(byte - mean) / std / scale + zeroPoint`, rounded to the nearest integer, ties away from zero, and limited to
        /// the type's range.
        case integer(IntegerType, mean: [Float], std: [Float], scale: Float, zeroPoint: Int)
    }

    /// How a float is divided by the standard deviation. The last bit can differ, and models that quantize their values
    /// make large differences of it.
    package enum Division: Sendable, Hashable {
        /// By multiplication with the reciprocal, as the TensorFlow Lite Task Library does.
        case byReciprocal
        /// Rounded once, as NumPy and other pipelines do.
        case exact
    }

    /// The integers that tensors hold, in host byte order.
    package enum IntegerType: Sendable, Hashable, CaseIterable {
        case uint8, int8, int16, int32, int64

        var byteCount: Int {
            switch self {
            case .uint8, .int8: 1
            case .int16: 2
            case .int32: 4
            case .int64: 8
            }
        }

        /// The smallest and the largest stored number.
        package var range: ClosedRange<Int64> {
            switch self {
            case .uint8: 0...255
            case .int8: -128...127
            case .int16: Int64(Int16.min)...Int64(Int16.max)
            case .int32: Int64(Int32.min)...Int64(Int32.max)
            case .int64: .min ... .max
            }
        }
    }

    package var channels: Channels
    /// Whether each channel is a plane of its own (NCHW). Otherwise the channels of a pixel are together (NHWC).
    package var isPlanar: Bool
    package var values: Values

    package init(_ values: Values, channels: Channels = .rgb, isPlanar: Bool = false) {
        self.values = values
        self.channels = channels
        self.isPlanar = isPlanar
    }

    /// The RGB bytes unchanged, 0 to 255.
    package static let uint8 = TensorImageFormat(bytesOf: .uint8)

    /// `byte - 128`, for inputs quantized with zero point -128.
    package static let int8 = TensorImageFormat(bytesOf: .int8)

    /// RGB as `(byte - mean) * (1 / std)`.
    package static func float32(mean: [Float], std: [Float]) -> TensorImageFormat {
        TensorImageFormat(.float32(mean: mean, std: std, .byReciprocal))
    }

    /// The bytes of an image in another type: 0 to 255, or -128 to 127 for `int8`.
    package init(bytesOf type: IntegerType, channels: Channels = .rgb, isPlanar: Bool = false) {
        self.init(
            .integer(type, mean: [0], std: [1], scale: 1, zeroPoint: type == .int8 ? -128 : 0), channels: channels,
            isPlanar: isPlanar)
    }

    /// The bytes of one value of one channel.
    package var bytesPerValue: Int {
        switch values {
        case .float32: 4
        case .integer(let type, _, _, _, _): type.byteCount
        }
    }

    /// The bytes of all channels of one pixel.
    package var bytesPerPixel: Int { channels.count * bytesPerValue }
}
