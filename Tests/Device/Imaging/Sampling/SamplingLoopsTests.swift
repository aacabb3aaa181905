import Foundation
import Testing

@testable import HearthImaging

@Suite("The loops for this processor equal the portable ones to the byte")
struct SamplingLoopsTests {
    @Test("random sizes, regions, paddings, orientations and tensors", arguments: PixelFormat.allCases)
    func equal(format: PixelFormat) throws {
        var random = SeededGenerator(seed: UInt64(PixelFormat.allCases.firstIndex(of: format) ?? 0))
        let formats: [TensorImageFormat] = [
            .uint8, .int8, .float32(mean: [127.5], std: [127.5]), .float32(mean: [1, 2, 3], std: [4, 5, 6]),
            TensorImageFormat(.float32(mean: [1, 2, 3], std: [4, 5, 6], .exact)),
            TensorImageFormat(.float32(mean: [0], std: [255], .exact), channels: .bgr, isPlanar: true),
            TensorImageFormat(bytesOf: .int64, channels: .rgba), TensorImageFormat(bytesOf: .uint8, channels: .gray),
        ]
        for round in 0..<160 {
            let (width, height) = (Self.side(&random), Self.side(&random))
            let image = DecodedImage(
                pixels: try RawImages.image(
                    format, width: width, height: height, padding: Int.random(in: 0...5, using: &random), &random),
                orientation: ImageOrientation.allCases[round % 8])
            let writer = try ImageTensorWriter(
                width: Self.side(&random), height: Self.side(&random), format: formats[round / 8 % 8],
                placement: round % 5 == 0 ? .fit(background: 114) : .stretch)
            let region = round % 3 == 0 ? Self.region(of: image.uprightSize, &random) : nil
            let fast = try Self.tensor(writer, image, region, .fastest)
            #expect(try fast == Self.tensor(writer, image, region, .portable))
        }
    }

    private static func side(_ random: inout SeededGenerator) -> Int {
        Int.random(in: 1...(Bool.random(using: &random) ? 5 : 70), using: &random)
    }

    private static func region(of size: (width: Int, height: Int), _ random: inout SeededGenerator) -> PixelRect {
        let (width, height) = (
            Int.random(in: 1...size.width, using: &random), Int.random(in: 1...size.height, using: &random)
        )
        return PixelRect(
            x: Int.random(in: 0...(size.width - width), using: &random),
            y: Int.random(in: 0...(size.height - height), using: &random), width: width, height: height)
    }

    /// In memory of exactly the tensor's size, so that the address sanitizer sees a byte too many.
    private static func tensor(
        _ writer: ImageTensorWriter, _ image: DecodedImage, _ region: PixelRect?, _ loops: SamplingLoops
    ) throws -> [UInt8] {
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: writer.byteCount, alignment: 1)
        defer { buffer.deallocate() }
        buffer.initializeMemory(as: UInt8.self, repeating: 0xAA)
        _ = try writer.write(image, orientation: nil, region: region, into: buffer, loops: loops)
        return Array(buffer)
    }
}
