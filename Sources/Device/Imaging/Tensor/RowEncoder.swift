import CSampling

/// Converts rows of sampled pixels into a tensor's values.
struct RowEncoder {
    private enum Encoding {
        /// Each byte, with these bits inverted.
        case bytes(flip: UInt8)
        /// `(byte - mean) * scale` for red, green, blue.
        case floats(mean: [Float], scale: [Float])
    }

    private let encoding: Encoding

    /// The bytes of one pixel of the tensor.
    let bytesPerPixel: Int

    init(_ format: TensorImageFormat) throws(ImageError) {
        bytesPerPixel = format.bytesPerValue * 3
        switch format {
        case .uint8: encoding = .bytes(flip: 0)
        case .int8: encoding = .bytes(flip: 0x80)
        case .float32(let mean, let std):
            try Self.check(mean: mean, std: std)
            // Multiplied by the reciprocal, not divided: the last bit can differ, and models were tested with this
            // form.
            encoding = .floats(mean: Self.triple(mean), scale: Self.triple(std.map { 1 / $0 }))
        }
    }

    /// - Parameters:
    ///   - pixels: 4 bytes each: red, green, blue and one that is ignored.
    ///   - target: Room for `count * bytesPerPixel` bytes; need not be aligned.
    func encode(
        _ pixels: UnsafePointer<UInt8>, count: Int, into target: UnsafeMutableRawPointer,
        _ loops: UnsafePointer<hearth_sampling>
    ) {
        switch encoding {
        case .bytes(let flip):
            loops.pointee.encode_bytes(pixels, count, flip, target.assumingMemoryBound(to: UInt8.self))
        case .floats(let mean, let scale):
            loops.pointee.encode_floats(pixels, count, mean, scale, target)
        }
    }

    private static func triple(_ values: [Float]) -> [Float] {
        values.count == 1 ? [values[0], values[0], values[0]] : values
    }

    private static func check(mean: [Float], std: [Float]) throws(ImageError) {
        guard mean.count == std.count, mean.count == 1 || mean.count == 3 else {
            throw ImageError(
                .invalidNormalization,
                "mean has \(mean.count) values and std \(std.count); give 1 or 3 of both")
        }
        guard mean.allSatisfy(\.isFinite), std.allSatisfy({ $0.isFinite && $0.magnitude >= .ulpOfOne }) else {
            throw ImageError(
                .invalidNormalization, "mean \(mean) and std \(std) must be finite numbers, and std not zero")
        }
    }
}
