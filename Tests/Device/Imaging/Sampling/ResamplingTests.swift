import Foundation
import Testing

@testable import HearthImaging

@Suite("Plain resizing equals OpenCV's INTER_LINEAR to the byte")
struct ResizeTests {
    @Test(
        "smaller, larger, stretched, half, one pixel",
        arguments: [(10, 9), (40, 31), (18, 46), (37, 5), (74, 46), (1, 1), (3, 23)])
    func fixtures(width: Int, height: Int) throws {
        let source = try ImageFixtures.image("resize_source.png")
        let expected = try ImageFixtures.image("resize_\(width)x\(height).png").pixels.bytes
        let writer = try ImageTensorWriter(width: width, height: height, format: .uint8, resampling: .bilinear)
        #expect(try writer.bytes(source) == expected)
    }

    @Test("the image's own size keeps its bytes")
    func sameSize() throws {
        let image = try ImageFixtures.image("resize_source.png")
        let writer = try ImageTensorWriter(width: image.pixels.width, height: image.pixels.height, format: .uint8)
        #expect(try writer.bytes(image) == image.pixels.bytes)
    }

    @Test("one pixel becomes a plain area of any size")
    func onePixel() throws {
        let image = try ImageFixtures.image("resize_1x1.png")
        let writer = try ImageTensorWriter(width: 5, height: 300, format: .uint8)
        let tensor = try writer.bytes(image)
        let pixel = image.pixels.bytes
        #expect(
            stride(from: 0, to: tensor.count, by: 3).allSatisfy { place in
                zip(tensor[place..<(place + 3)], pixel).allSatisfy { abs(Int($0) - Int($1)) <= 1 }
            })
    }
}

@Suite("Images that shrink to less than a third are averaged")
struct ResamplingTests {
    private func gray(_ width: Int, _ height: Int, _ value: (Int, Int) -> UInt8) throws -> DecodedImage {
        let bytes = Data((0..<height).flatMap { y in (0..<width).map { x in value(x, y) } })
        return DecodedImage(
            pixels: try PixelImage(
                format: .gray, width: width, height: height, planes: [.init(bytes, bytesPerRow: width)]))
    }

    /// One value a pixel: the image is gray.
    private func shrunk(
        _ image: DecodedImage, _ width: Int, _ height: Int, _ resampling: ImageResampling = .antialiased
    ) throws -> [UInt8] {
        let writer = try ImageTensorWriter(width: width, height: height, format: .uint8, resampling: resampling)
        let bytes = try writer.bytes(image)
        return stride(from: 0, to: bytes.count, by: 3).map { bytes[$0] }
    }

    @Test("four pixels become their mean, along both sides")
    func mean() throws {
        let values: [UInt8] = [0, 100, 200, 40]
        #expect(try shrunk(gray(4, 1) { x, _ in values[x] }, 1, 1) == [85])
        #expect(try shrunk(gray(1, 4) { _, y in values[y] }, 1, 1) == [85])
        #expect(try shrunk(gray(4, 4) { x, y in UInt8(Int(values[x]) * y / 3) }, 1, 1) == [43])
        // Without it only those in the middle count.
        #expect(try shrunk(gray(4, 1) { x, _ in values[x] }, 1, 1, .bilinear) == [150])
    }

    @Test("to a third the samples are the plain ones, and beyond it they are not")
    func third() throws {
        let stripes = { (x: Int, _: Int) in UInt8(x % 3 == 1 ? 240 : 0) }
        for (width, isPlain) in [(30, true), (31, false)] {
            let image = try gray(width, 2, stripes)
            #expect(try (shrunk(image, 10, 2) == shrunk(image, 10, 2, .bilinear)) == isPlain)
        }
    }

    @Test("noise is averaged away", arguments: [400, 555, 1200])
    func noise(side: Int) throws {
        var random = SeededGenerator(seed: 8)
        let bytes = (0..<(side * side)).map { _ in UInt8.random(in: 0...255, using: &random) }
        let image = try gray(side, side) { x, y in bytes[y * side + x] }
        func spread(_ resampling: ImageResampling) throws -> Double {
            let values = try shrunk(image, 100, 100, resampling).map { Double($0) - 127.5 }
            return (values.map { $0 * $0 }.reduce(0, +) / Double(values.count)).squareRoot()
        }
        #expect(try spread(.antialiased) < 0.7 * spread(.bilinear))
    }

    @Test("what a decoder made smaller is not averaged again")
    func decodedSmaller() throws {
        let writer = try ImageTensorWriter(width: 1, height: 1, format: .uint8)
        let plain = try ImageTensorWriter(width: 1, height: 1, format: .uint8, resampling: .bilinear)
        let data = try ImageFixtures.data("orientation_1.jpg")
        let smaller = try ImageDecoder.decode(data, covering: DecodeTarget(width: 8, height: 4, oversampling: 1))
        #expect(smaller.pixels.width == 8)
        #expect(try writer.bytes(smaller) == plain.bytes(smaller))
        let whole = try ImageDecoder.decode(data)
        #expect(try writer.bytes(whole) != plain.bytes(whole))
    }

    @Test("the same from every orientation, whether cut out first or not", arguments: ImageOrientation.allCases)
    func orientations(orientation: ImageOrientation) throws {
        let pixels = try ImageFixtures.image("resize_source.png").pixels
        let image = DecodedImage(pixels: pixels, orientation: orientation)
        let upright = DecodedImage(pixels: try image.upright())
        for (width, height) in [(3, 2), (9, 2), (3, 20), (1, 1)] {
            let writer = try ImageTensorWriter(width: width, height: height, format: .uint8)
            #expect(try writer.bytes(image) == writer.bytes(upright))
            #expect(
                try ImageTensorWriter(width: width, height: height, format: .uint8, resampling: .bilinear)
                    .bytes(image) != writer.bytes(image))
        }
    }

    @Test("every format becomes its mean colour", arguments: PixelFormat.allCases)
    func formats(format: PixelFormat) throws {
        var random = SeededGenerator(seed: 5)
        let raw = try RawImages.image(format, width: 64, height: 48, padding: 3, &random)
        let mean = try meanColour(raw.rgb())
        let writer = try ImageTensorWriter(width: 1, height: 1, format: .uint8)
        let bytes = try writer.bytes(DecodedImage(pixels: raw))
        // Of random luma and chroma many pixels are cut to 0 or 255 when they are converted, of their mean none is.
        let tolerance = raw.isYUV ? 30.0 : 12
        #expect(zip(bytes, mean).allSatisfy { abs(Double($0) - $1) <= tolerance })
    }

    private func meanColour(_ image: PixelImage) -> [Double] {
        let bytes = image.bytes
        return (0..<3).map { channel in
            let values = stride(from: channel, to: bytes.count, by: 3).map { Double(bytes[$0]) }
            return values.reduce(0, +) / Double(values.count)
        }
    }

    @Test(
        "samples lie three pixels apart at most, and there are 63 to a side at most",
        arguments: [(0.1, 1), (3, 1), (3.01, 2), (6, 2), (6.01, 3), (189, 63), (189.01, 63), (1e30, 63)])
    func samples(factor: Double, expected: Int) {
        #expect(ImageResampling.antialiased.samples(shrinkingBy: factor) == expected)
        #expect(ImageResampling.bilinear.samples(shrinkingBy: factor) == 1)
    }

    @Test("a plain area keeps its value, however far it shrinks", arguments: [4, 13, 200])
    func plainArea(side: Int) throws {
        for value in UInt8.min...UInt8.max {
            let values = try shrunk(gray(side, side) { _, _ in value }, 1, 1)
            // A blend of two equal pixels may lose one.
            #expect(abs(Int(values[0]) - Int(value)) <= 1)
        }
    }
}

extension PixelImage {
    fileprivate var isYUV: Bool { [.nv12, .nv21, .i420].contains(format) }
}
