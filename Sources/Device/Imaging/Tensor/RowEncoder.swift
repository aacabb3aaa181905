import CSampling

/// Converts rows of sampled pixels into a tensor's values.
struct RowEncoder {
    private enum Encoding {
        /// Each byte of RGB, with these bits inverted.
        case bytes(flip: UInt8)
        /// `(byte - mean) * scale` for red, green, blue.
        case floats(mean: [Float], scale: [Float])
        /// `(byte - mean) / deviation` for red, green, blue.
        case dividedFloats(mean: [Float], deviation: [Float])
        /// All other forms.
        case table(ValueTable)
    }

    private let encoding: Encoding

    /// The bytes from one pixel of the tensor to the next in its row.
    let bytesPerPixel: Int

    /// - Parameter pixelCount: The pixels of the whole tensor. Only planar tensors need it.
    init(_ format: TensorImageFormat, pixelCount: Int = 0) throws(ImageError) {
        bytesPerPixel = format.isPlanar ? format.bytesPerValue : format.bytesPerPixel
        switch format.values {
        case .float32(let mean, let std, let division) where format.channels == .rgb && !format.isPlanar:
            let values = try ChannelScaling(mean: mean, std: std, channelCount: 3)
            encoding =
                switch division {
                case .byReciprocal: .floats(mean: values.mean, scale: values.reciprocals)
                case .exact: .dividedFloats(mean: values.mean, deviation: values.deviation)
                }
        case .integer where format == .uint8: encoding = .bytes(flip: 0)
        case .integer where format == .int8: encoding = .bytes(flip: 0x80)
        default: encoding = .table(try ValueTable(format, planeBytes: pixelCount * format.bytesPerValue))
        }
    }

    /// - Parameters:
    ///   - pixels: 4 bytes each: red, green, blue and one that is ignored.
    ///   - target: The place of the first pixel's first channel; need not be aligned. There is room for `count` pixels,
    ///     in planar tensors also in each of the following planes.
    func encode(
        _ pixels: UnsafePointer<UInt8>, count: Int, into target: UnsafeMutableRawPointer,
        _ loops: UnsafePointer<hearth_sampling>
    ) {
        switch encoding {
        case .bytes(let flip):
            loops.pointee.encode_bytes(pixels, count, flip, target.assumingMemoryBound(to: UInt8.self))
        case .floats(let mean, let scale):
            loops.pointee.encode_floats(pixels, count, mean, scale, target)
        case .dividedFloats(let mean, let deviation):
            loops.pointee.divide_floats(pixels, count, mean, deviation, target)
        case .table(let table): table.encode(pixels, count: count, into: target)
        }
    }
}

/// The numbers that turn a channel's byte into the value that a model was trained with, one for each channel.
struct ChannelScaling {
    let mean: [Float]
    let deviation: [Float]

    var reciprocals: [Float] { deviation.map { 1 / $0 } }

    init(mean: [Float], std: [Float], channelCount: Int) throws(ImageError) {
        guard mean.count == std.count, mean.count == 1 || mean.count == channelCount else {
            throw ImageError(
                .invalidNormalization,
                "mean has \(mean.count) values and std \(std.count); give 1\(channelCount > 1 ? " or \(channelCount)" : "") of both"
            )
        }
        guard mean.allSatisfy(\.isFinite), std.allSatisfy({ $0.isFinite && $0.magnitude >= .ulpOfOne }) else {
            throw ImageError(
                .invalidNormalization, "mean \(mean) and std \(std) must be finite numbers, and std not zero")
        }
        let isShared = mean.count == 1
        self.mean = isShared ? Array(repeating: mean[0], count: channelCount) : mean
        deviation = isShared ? Array(repeating: std[0], count: channelCount) : std
    }
}

/// The stored bits for each byte of each channel, for tensors that are not plain RGB in bytes or floats.
struct ValueTable {
    private let channels: TensorImageFormat.Channels
    private let bytesPerValue: Int
    private let isPlanar: Bool
    /// The bytes from one channel of a pixel to the next.
    private let channelStride: Int
    /// 256 for each channel; of each, the lower `bytesPerValue` bytes are stored.
    private let bits: [UInt64]

    init(_ format: TensorImageFormat, planeBytes: Int) throws(ImageError) {
        channels = format.channels
        bytesPerValue = format.bytesPerValue
        isPlanar = format.isPlanar
        channelStride = format.isPlanar ? planeBytes : format.bytesPerValue
        let count = format.channels.count
        switch format.values {
        case .float32(let mean, let std, let division):
            let values = try ChannelScaling(mean: mean, std: std, channelCount: count)
            let reciprocals = values.reciprocals
            bits = Self.all(count) { channel, byte in
                let centered = byte - values.mean[channel]
                let real = division == .exact ? centered / values.deviation[channel] : centered * reciprocals[channel]
                return UInt64(real.bitPattern)
            }
        case .integer(let type, let mean, let std, let scale, let zeroPoint):
            let values = try ChannelScaling(mean: mean, std: std, channelCount: count)
            guard scale.isFinite, scale > 0 else {
                throw ImageError(.invalidNormalization, "the quantization scale \(scale) must be a number above zero")
            }
            bits = Self.all(count) { channel, byte in
                let real = (byte - values.mean[channel]) / values.deviation[channel]
                return UInt64(bitPattern: Self.stored(Double(real) / Double(scale), zeroPoint, type.range))
            }
        }
    }

    private static func all(_ channelCount: Int, _ bits: (_ channel: Int, _ byte: Float) -> UInt64) -> [UInt64] {
        (0..<channelCount * 256).map { bits($0 / 256, Float($0 % 256)) }
    }

    private static func stored(_ value: Double, _ zeroPoint: Int, _ range: ClosedRange<Int64>) -> Int64 {
        let rounded = value.rounded(.toNearestOrAwayFromZero) + Double(zeroPoint)
        if rounded <= Double(range.lowerBound) { return range.lowerBound }
        return rounded >= Double(range.upperBound) ? range.upperBound : Int64(rounded)
    }

    func encode(_ pixels: UnsafePointer<UInt8>, count: Int, into target: UnsafeMutableRawPointer) {
        switch bytesPerValue {
        case 1: encode(pixels, count, into: target, as: UInt8.self)
        case 2: encode(pixels, count, into: target, as: UInt16.self)
        case 4: encode(pixels, count, into: target, as: UInt32.self)
        default: encode(pixels, count, into: target, as: UInt64.self)
        }
    }

    private func encode<Value: FixedWidthInteger>(
        _ pixels: UnsafePointer<UInt8>, _ count: Int, into target: UnsafeMutableRawPointer, as type: Value.Type
    ) {
        let pixelStride = isPlanar ? bytesPerValue : bytesPerValue * channels.count
        bits.withUnsafeBufferPointer { bits in
            for channel in 0..<channels.count {
                let table = bits.baseAddress.unsafelyUnwrapped + channel * 256
                var place = target + channel * channelStride
                for pixel in 0..<count {
                    let byte = Self.byte(of: pixels + pixel &* 4, channel, channels)
                    place.storeBytes(of: Value(truncatingIfNeeded: table[Int(byte)]), as: type)
                    place += pixelStride
                }
            }
        }
    }

    @inline(__always)
    private static func byte(
        of pixel: UnsafePointer<UInt8>, _ channel: Int, _ channels: TensorImageFormat.Channels
    ) -> UInt8 {
        switch channels {
        case .rgb: pixel[channel]
        case .bgr: pixel[2 &- channel]
        case .rgba: channel < 3 ? pixel[channel] : 255
        case .gray:
            // The weights in units of 1/65536.
            UInt8(
                truncatingIfNeeded: (UInt32(pixel[0]) &* 19595 &+ UInt32(pixel[1]) &* 38470 &+ UInt32(pixel[2]) &* 7471
                    &+ 0x8000) >> 16)
        }
    }
}
