import Foundation

/// Turns rows of RGB bytes into a tensor's values.
struct RowEncoder {
    private enum Encoding {
        case uint8
        case int8
        /// The value of each byte in each channel: `table[byte * 3 + channel]`.
        case float32(table: [Float])
    }

    private let encoding: Encoding

    init(_ format: TensorImageFormat) throws(ImageError) {
        switch format {
        case .uint8: encoding = .uint8
        case .int8: encoding = .int8
        case .float32(let mean, let std): encoding = .float32(table: try Self.table(mean: mean, std: std))
        }
    }

    /// Whether the bytes are the values, so that encoding can be left out.
    var isIdentity: Bool {
        if case .uint8 = encoding { true } else { false }
    }

    /// - Parameter target: Room for `count` values; need not be aligned.
    func encode(_ bytes: UnsafePointer<UInt8>, count: Int, into target: UnsafeMutableRawPointer) {
        switch encoding {
        case .uint8: memcpy(target, bytes, count)
        case .int8:
            for index in 0..<count {
                target.storeBytes(of: bytes[index] ^ 0x80, toByteOffset: index, as: UInt8.self)
            }
        case .float32(let table):
            table.withUnsafeBufferPointer { table in
                Self.look(up: bytes, count: count, in: table.baseAddress.unsafelyUnwrapped, into: target)
            }
        }
    }

    private static func look(
        up bytes: UnsafePointer<UInt8>, count: Int, in table: UnsafePointer<Float>,
        into target: UnsafeMutableRawPointer
    ) {
        var offset = 0
        for pixel in stride(from: 0, to: count, by: 3) {
            for channel in 0..<3 {
                let value = table[Int(bytes[pixel &+ channel]) &* 3 &+ channel]
                target.storeBytes(of: value, toByteOffset: offset, as: Float.self)
                offset &+= 4
            }
        }
    }

    private static func table(mean: [Float], std: [Float]) throws(ImageError) -> [Float] {
        guard mean.count == std.count, mean.count == 1 || mean.count == 3 else {
            throw ImageError(
                .invalidNormalization,
                "mean has \(mean.count) values and std \(std.count); give 1 or 3 of both")
        }
        guard mean.allSatisfy(\.isFinite), std.allSatisfy({ $0.isFinite && $0.magnitude >= .ulpOfOne }) else {
            throw ImageError(
                .invalidNormalization, "mean \(mean) and std \(std) must be finite numbers, and std not zero")
        }
        return (0..<(256 * 3)).map { index in
            let channel = mean.count == 1 ? 0 : index % 3
            // Times the reciprocal, not divided: the last bit can differ, and models were tested with this form.
            return (Float(index / 3) - mean[channel]) * (1 / std[channel])
        }
    }
}
