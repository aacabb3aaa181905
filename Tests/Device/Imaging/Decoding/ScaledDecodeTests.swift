import Foundation
import HearthImaging
import HearthTestSupport
import Testing

@Suite("JPEG files are decoded at the smallest size that covers the model's input")
struct ScaledDecodeTests {
    private func decode(_ name: String, _ target: DecodeTarget, scaled: Bool = true) throws -> DecodedImage {
        try ImageDecoder.decode(
            ImageFixtures.data(name), options: ImageDecodeOptions(allowsScaledDecode: scaled), covering: target)
    }

    private func size(_ image: DecodedImage) -> [Int] { [image.pixels.width, image.pixels.height] }

    @Test(
        "16 x 8: halves, quarters and eighths, never less than the target in either direction",
        arguments: [
            (16, 8, [16, 8]), (9, 4, [16, 8]), (8, 5, [16, 8]), (8, 4, [8, 4]), (5, 1, [8, 4]), (4, 2, [4, 2]),
            (1, 2, [4, 2]), (2, 1, [2, 1]), (1, 1, [2, 1]), (17, 9, [16, 8]), (0, 1, [16, 8]), (1, -5, [16, 8]),
            (Int.max, Int.max, [16, 8]),
        ])
    func sizes(width: Int, height: Int, expected: [Int]) throws {
        let target = DecodeTarget(width: width, height: height, oversampling: 1)
        let image = try decode("orientation_1.jpg", target)
        #expect(size(image) == expected)
        #expect(image.storedSize == (16, 8) && image.uprightSize == (16, 8))
        #expect(try size(decode("orientation_1.jpg", target, scaled: false)) == [16, 8])
    }

    @Test(
        "unless told otherwise, half as many pixels again as the input has, and 256 at least, are asked for",
        arguments: [(224, 300, 1.5), (320, 320, 1.5), (171, 500, 1.5), (128, 128, 2), (300, 64, 4), (0, -5, 256)])
    func usualCover(width: Int, height: Int, expected: Double) {
        #expect(abs(DecodeTarget(width: width, height: height).oversampling - expected) < 0.01)
    }

    @Test(
        "the cover is a factor of the target's sides, of 1 at least",
        arguments: [
            (1, 8, [8, 4]), (2, 4, [8, 4]), (2.1, 4, [16, 8]), (0, 8, [8, 4]),
            (-1, 8, [8, 4]), (.infinity, 1, [16, 8]),
        ] as [(Double, Int, [Int])])
    func cover(cover: Double, width: Int, expected: [Int]) throws {
        let target = DecodeTarget(width: width, height: 1, oversampling: cover)
        #expect(try size(decode("orientation_1.jpg", target)) == expected)
    }

    @Test("the target is upright, the scale is of the stored sides", arguments: ImageOrientation.allCases)
    func orientations(orientation: ImageOrientation) throws {
        let target = DecodeTarget(width: 8, height: 4, oversampling: 1)
        let image = try decode("orientation_\(orientation.rawValue).jpg", target)
        #expect(size(image) == (orientation.swapsSides ? [4, 8] : [8, 4]))
        #expect(image.uprightSize == (16, 8))
        // Overridden, a lying target in a standing image needs more of it.
        let overridden = DecodeTarget(
            width: 8, height: 4, orientation: orientation.swapsSides ? .up : .right, oversampling: 1)
        #expect(try size(decode("orientation_\(orientation.rawValue).jpg", overridden)).max() == 16)
    }

    @Test("the same tensor from every orientation, and close to that of the whole image", arguments: 1...8)
    func sameTensor(orientation: Int) throws {
        let writer = try ImageTensorWriter(width: 8, height: 4, format: .uint8)
        let name = "orientation_\(orientation).jpg"
        let scaled = try decode(name, writer.decodeTarget(cover: 1))
        let mapping = try writer.mapping(scaled)
        #expect((mapping.x(0), mapping.y(0), mapping.x(1), mapping.y(1)) == (0, 0, 16, 8))
        // Half the size is the mean of four pixels, which is what bilinear sampling at half the size gives.
        let differences = zip(try writer.bytes(scaled), try writer.bytes(ImageFixtures.image("orientation_1.jpg")))
            .map { abs(Int($0) - Int($1)) }
        #expect((differences.max() ?? 256) <= 40 && differences.reduce(0, +) / differences.count <= 6)
    }

    @Test("only what the model sees has to be covered")
    func regionsAndPlacements() throws {
        func size(_ placement: ImagePlacement, _ width: Int, _ height: Int, _ region: PixelRect?) throws -> [Int] {
            self.size(
                try decode(
                    "orientation_1.jpg",
                    DecodeTarget(width: width, height: height, placement: placement, region: region, oversampling: 1)))
        }
        #expect(try size(.stretch, 4, 2, PixelRect(x: 8, y: 4, width: 8, height: 4)) == [8, 4])
        #expect(try size(.stretch, 4, 2, PixelRect(x: 9, y: 4, width: 7, height: 4)) == [16, 8])
        // 16 x 8 fitted into 8 x 8 is 8 x 4; cropped to 4 x 4 it is 8 x 8 of it.
        #expect(try size(.fit(), 8, 8, nil) == [8, 4])
        #expect(try size(.stretch, 8, 8, nil) == [16, 8])
        #expect(try size(.crop, 4, 4, nil) == [8, 4])
        #expect(try size(.crop, 5, 5, nil) == [16, 8])
        #expect(
            imageErrorCode { _ = try size(.stretch, 4, 2, PixelRect(x: 9, y: 4, width: 8, height: 4)) }
                == .invalidRegion)
    }

    @Test("a region of an image decoded smaller is where it was")
    func regionOfSmaller() throws {
        let writer = try ImageTensorWriter(width: 2, height: 1, format: .uint8)
        let region = PixelRect(x: 8, y: 2, width: 8, height: 4)
        let scaled = try decode("orientation_6.jpg", writer.decodeTarget(region: region, cover: 1))
        #expect(size(scaled) == [2, 4])
        let tensor = try writer.bytes(scaled, region: region)
        let mapping = try writer.mapping(scaled, region: region)
        #expect((mapping.x(0), mapping.y(0), mapping.x(1), mapping.y(1)) == (8, 2, 16, 6))
        let expected = try writer.bytes(ImageFixtures.image("orientation_6.jpg"), region: region)
        #expect(zip(tensor, expected).allSatisfy { abs(Int($0) - Int($1)) <= 24 })
    }

    @Test(
        "every kind of JPEG",
        arguments: ["gray.jpg", "cmyk.jpg", "ycck.jpg", "progressive.jpg", "chroma_420.jpg", "chroma_unnamed.jpg"])
    func kinds(name: String) throws {
        let target = DecodeTarget(width: 2, height: 2, oversampling: 1)
        let (scaled, whole) = (try decode(name, target), try ImageFixtures.image(name))
        #expect(scaled.pixels.width < whole.pixels.width && scaled.pixels.width >= 2)
        #expect(scaled.pixels.width * scaled.pixels.height * 3 == scaled.pixels.byteCount)
        let means = [scaled, whole].map { image in
            (0..<3).map { channel in
                let bytes = image.pixels.bytes
                let values = stride(from: channel, to: bytes.count, by: 3).map { Double(bytes[$0]) }
                return values.reduce(0, +) / Double(values.count)
            }
        }
        #expect(zip(means[0], means[1]).allSatisfy { abs($0 - $1) <= 6 })
    }

    @Test("formats that cannot be decoded smaller are decoded whole")
    func png() throws {
        #expect(try size(decode("rgb.png", DecodeTarget(width: 1, height: 1))) == [16, 8])
    }

    @Test("a cut file is an error at any scale, and what is left of it on request")
    func cut() throws {
        let jpeg = try ImageFixtures.data("orientation_1.jpg").dropLast(20)
        let target = DecodeTarget(width: 8, height: 4, oversampling: 1)
        #expect(imageErrorCode { _ = try ImageDecoder.decode(jpeg, covering: target) } == .truncated)
        let partial = try ImageDecoder.decode(
            jpeg, options: ImageDecodeOptions(allowPartial: true), covering: target)
        #expect(partial.isPartial && partial.pixels.width == 8)
    }
}
