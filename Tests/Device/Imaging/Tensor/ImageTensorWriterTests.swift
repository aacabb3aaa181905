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
}
