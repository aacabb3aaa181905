import Foundation
import HearthImaging
import Testing

@Suite("Writing tensors")
struct TensorWriterTests {
    private func image() throws -> DecodedImage { try ImageFixtures.image("resize_source.png") }

    private func writer(_ format: TensorImageFormat, width: Int = 12, height: Int = 7) throws -> ImageTensorWriter {
        try ImageTensorWriter(width: width, height: height, format: format)
    }

    @Test("int8 is the byte less 128", arguments: [(12, 7), (37, 23)])
    func int8(width: Int, height: Int) throws {
        let bytes = try writer(.uint8, width: width, height: height).bytes(image())
        let shifted = try writer(.int8, width: width, height: height).bytes(image())
        #expect(shifted.map { Int(Int8(bitPattern: $0)) } == bytes.map { Int($0) - 128 })
    }

    @Test("float32 with one mean and std, and the rounding of a multiplication by the reciprocal")
    func floatOneChannel() throws {
        let bytes = try writer(.uint8).bytes(image())
        let floats = try writer(.float32(mean: [127.5], std: [127.5])).floats(image())
        #expect(floats == bytes.map { (Float($0) - 127.5) * (1 / Float(127.5)) })
        #expect(floats.allSatisfy { (-1...1).contains($0) })
    }

    @Test("float32 with a mean and std for each channel, in the order red, green, blue")
    func floatThreeChannels() throws {
        let (mean, std): ([Float], [Float]) = ([123.7, 116.3, 103.5], [58.4, -57.1, 57.4])
        let bytes = try writer(.uint8).bytes(image())
        let floats = try writer(.float32(mean: mean, std: std)).floats(image())
        #expect(floats == bytes.enumerated().map { (Float($1) - mean[$0 % 3]) * (1 / std[$0 % 3]) })
    }

    @Test("a buffer of another size is refused and left alone", arguments: [-1, 1])
    func wrongBuffer(difference: Int) throws {
        let writer = try writer(.float32(mean: [0], std: [1]))
        #expect(writer.byteCount == 12 * 7 * 3 * 4)
        var buffer = [UInt8](repeating: 0xAA, count: writer.byteCount + difference)
        let image = try image()
        let code = imageErrorCode { try buffer.withUnsafeMutableBytes { _ = try writer.write(image, into: $0) } }
        #expect(code == .wrongBufferSize)
        #expect(buffer.allSatisfy { $0 == 0xAA })
    }

    @Test("an empty buffer is refused")
    func emptyBuffer() throws {
        let code = imageErrorCode {
            try writer(.uint8).write(image(), into: UnsafeMutableRawBufferPointer(start: nil, count: 0))
        }
        #expect(code == .wrongBufferSize)
    }

    @Test("memory that is not aligned for floats is written all the same, and nothing around it")
    func unaligned() throws {
        let writer = try writer(.float32(mean: [1], std: [2]))
        let image = try image()
        let expected = try writer.bytes(image)
        var memory = [UInt8](repeating: 0xAA, count: writer.byteCount + 2)
        try memory.withUnsafeMutableBytes { buffer in
            _ = try writer.write(image, into: UnsafeMutableRawBufferPointer(rebasing: buffer[1..<(buffer.count - 1)]))
        }
        #expect(memory == [0xAA] + expected + [0xAA])
    }

    @Test("tensors without a size, or with an impossible one, are refused")
    func sizes() {
        for (width, height) in [(0, 5), (5, 0), (-1, 5), (Int.max, 2), (Int.max / 2, Int.max / 2)] {
            #expect(imageErrorCode { _ = try writer(.uint8, width: width, height: height) } == .invalidTensorSize)
        }
    }

    @Test(
        "unusable normalization is refused",
        arguments: [
            ([], []), ([0, 0], [1, 1]), ([0], [1, 1, 1]), ([0, 0, 0, 0], [1, 1, 1, 1]), ([0], [0]),
            ([0], [Float.ulpOfOne.nextDown]), ([0, 0, 0], [1, 1, -1e-8]), ([Float.nan], [1]), ([0], [Float.nan]),
            ([Float.infinity], [1]), ([0], [Float.infinity]),
        ] as [([Float], [Float])])
    func normalization(mean: [Float], std: [Float]) {
        #expect(imageErrorCode { _ = try writer(.float32(mean: mean, std: std)) } == .invalidNormalization)
    }

    @Test("the smallest accepted std")
    func smallestStd() throws {
        _ = try writer(.float32(mean: [0], std: [.ulpOfOne]))
    }

    // MARK: Other channels, arrangements and types

    /// The RGB bytes that a plain tensor gets, pixel by pixel.
    private func pixels() throws -> [[UInt8]] {
        let bytes = try writer(.uint8).bytes(image())
        return stride(from: 0, to: bytes.count, by: 3).map { Array(bytes[$0..<$0 + 3]) }
    }

    @Test("blue first, with opacity, and in planes")
    func channels() throws {
        let pixels = try pixels()
        let bgr = try writer(TensorImageFormat(bytesOf: .uint8, channels: .bgr)).bytes(image())
        #expect(bgr == pixels.flatMap { [$0[2], $0[1], $0[0]] })
        let rgba = try writer(TensorImageFormat(bytesOf: .int8, channels: .rgba)).bytes(image())
        #expect(rgba == pixels.flatMap { $0 + [255] }.map { $0 ^ 0x80 })
        let planes = try writer(TensorImageFormat(bytesOf: .uint8, isPlanar: true)).bytes(image())
        #expect(planes == (0..<3).flatMap { channel in pixels.map { $0[channel] } })
    }

    @Test("gray is Pillow's: 0.299, 0.587 and 0.114 in units of 1/65536, rounded")
    func gray() throws {
        let bytes = try writer(TensorImageFormat(bytesOf: .uint8, channels: .gray)).bytes(image())
        let expected = try pixels().map { pixel -> UInt8 in
            let weighted: [Int] = zip(pixel, [19595, 38470, 7471]).map { Int($0) * $1 }
            return UInt8((weighted.reduce(0, +) + 0x8000) >> 16)
        }
        #expect(bytes == expected)
    }

    @Test("floats are divided exactly where that is wanted, also in planes with a mean for each channel")
    func division() throws {
        let bytes = try writer(.uint8).bytes(image())
        let exact = TensorImageFormat(.float32(mean: [0], std: [255], .exact))
        #expect(try writer(exact).floats(image()) == bytes.map { Float($0) / 255 })
        let (mean, std): ([Float], [Float]) = ([123.7, 116.3, 103.5], [58.4, -57.1, 57.4])
        let planar = TensorImageFormat(.float32(mean: mean, std: std, .exact), isPlanar: true)
        let pixels = try pixels()
        let expected = (0..<3).flatMap { channel in
            pixels.map { (Float($0[channel]) - mean[channel]) / std[channel] }
        }
        #expect(try writer(planar).floats(image()) == expected)
    }

    @Test("integers store the normalised number as their quantization says, within their range")
    func quantized() throws {
        let bytes = try writer(.uint8).bytes(image())
        let scale: Float = 0.018658448
        let odd = TensorImageFormat(.integer(.int8, mean: [0], std: [255], scale: scale, zeroPoint: -14))
        let expected = bytes.map { byte -> Int8 in
            let real = Double(Float(byte) / 255) / Double(scale)
            return Int8(clamping: Int(real.rounded()) - 14)
        }
        #expect(try writer(odd).bytes(image()).map { Int8(bitPattern: $0) } == expected)
        let narrow = TensorImageFormat(.integer(.int8, mean: [0], std: [1], scale: 1, zeroPoint: 0))
        #expect(try writer(narrow).bytes(image()).allSatisfy { (0...127).contains(Int8(bitPattern: $0)) })
        for type in [TensorImageFormat.IntegerType.int16, .int32, .int64] {
            let writer = try writer(TensorImageFormat(bytesOf: type))
            #expect(writer.byteCount == 12 * 7 * 3 * (type == .int16 ? 2 : type == .int32 ? 4 : 8))
            let stored = try writer.bytes(image())
            let width = stored.count / bytes.count
            #expect(stride(from: 0, to: stored.count, by: width).map { stored[$0] } == bytes)
            #expect(stored.enumerated().allSatisfy { $0.offset % width == 0 || $0.element == 0 })
        }
        let code = imageErrorCode {
            _ = try writer(TensorImageFormat(.integer(.int8, mean: [0], std: [1], scale: 0, zeroPoint: 0)))
        }
        #expect(code == .invalidNormalization)
    }
}
