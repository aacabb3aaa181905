import Foundation
import HearthImaging
import Testing

@Suite("Regions and placements")
struct RegionTests {
    /// 37 x 23 random pixels.
    private func source() throws -> PixelImage { try ImageFixtures.image("resize_source.png").pixels }

    private func cut(_ image: PixelImage, _ region: PixelRect) throws -> PixelImage {
        let bytes = image.bytes
        let rows = (region.y..<(region.y + region.height)).flatMap { y in
            bytes[((y * image.width + region.x) * 3)...].prefix(region.width * 3)
        }
        return try PixelImage(
            format: .rgb, width: region.width, height: region.height,
            planes: [PixelImage.Plane(Data(rows), bytesPerRow: region.width * 3)])
    }

    @Test(
        "a region gives the bytes of the image cut out first, whichever way it is stored",
        arguments: ImageOrientation.allCases)
    func regionIsCutting(orientation: ImageOrientation) throws {
        let image = DecodedImage(pixels: try source(), orientation: orientation)
        let region = PixelRect(x: 3, y: 5, width: 14, height: 11)
        let part = DecodedImage(pixels: try cut(image.upright(), region))
        for (width, height) in [(14, 11), (5, 4), (40, 23)] {
            let writer = try ImageTensorWriter(width: width, height: height, format: .uint8)
            let (tensor, expected) = (try writer.bytes(image, region: region), try writer.bytes(part))
            #expect(tensor == expected)
            let mapping = try writer.mapping(image, region: region)
            #expect((mapping.x(0), mapping.y(0), mapping.x(1), mapping.y(1)) == (3, 5, 17, 16))
        }
    }

    @Test("single pixels, each corner")
    func corners() throws {
        let image = DecodedImage(pixels: try source())
        let writer = try ImageTensorWriter(width: 1, height: 1, format: .uint8)
        let bytes = image.pixels.bytes
        for (x, y) in [(0, 0), (36, 0), (0, 22), (36, 22)] {
            let pixel = try writer.bytes(image, region: PixelRect(x: x, y: y, width: 1, height: 1))
            #expect(pixel.elementsEqual(bytes[((y * 37 + x) * 3)...].prefix(3)))
        }
    }

    @Test(
        "regions that are empty or not all inside are refused, and nothing is written",
        arguments: [
            (0, 0, 0, 1), (0, 0, 1, 0), (-1, 0, 5, 5), (0, -1, 5, 5), (33, 0, 5, 5), (0, 19, 5, 5), (0, 0, 38, 1),
            (0, 0, 1, 24), (.max, 0, 1, 1), (0, .max, 1, 1), (1, 1, .max, .max), (.min, .min, .max, .max),
            (0, 0, -5, 5), (37, 0, 1, 1),
        ] as [(Int, Int, Int, Int)])
    func refused(x: Int, y: Int, width: Int, height: Int) throws {
        let image = DecodedImage(pixels: try source())
        let writer = try ImageTensorWriter(width: 2, height: 2, format: .uint8)
        var buffer = [UInt8](repeating: 0xAA, count: writer.byteCount)
        let code = imageErrorCode {
            try buffer.withUnsafeMutableBytes {
                _ = try writer.write(image, region: PixelRect(x: x, y: y, width: width, height: height), into: $0)
            }
        }
        #expect(code == .invalidRegion)
        #expect(buffer.allSatisfy { $0 == 0xAA })
    }

    @Test("fit: the whole image in the middle, the rest gray, the way back exact")
    func fit() throws {
        let image = DecodedImage(pixels: try source())
        // 37 x 23 into 20 x 20: 20 x 12 (12.4), four rows above and below.
        let writer = try ImageTensorWriter(width: 20, height: 20, format: .uint8, placement: .fit(background: 114))
        let inner = try ImageTensorWriter(width: 20, height: 12, format: .uint8).bytes(image)
        let band = [UInt8](repeating: 114, count: 20 * 4 * 3)
        #expect(try writer.bytes(image) == band + inner + band)
        let mapping = try writer.mapping(image)
        #expect(mapping.x(0) == 0 && mapping.x(1) == 37)
        #expect(abs(mapping.y(4.0 / 20)) < 1e-9 && abs(mapping.y(16.0 / 20) - 23) < 1e-9)
    }

    @Test("fit: the whole image in the upper left corner without fractions of a pixel, the way back exact")
    func fitTopLeft() throws {
        let image = DecodedImage(pixels: try source())
        // 37 x 23 into 25 x 25: 25 x 15 (15.5).
        let writer = try ImageTensorWriter(
            width: 25, height: 25, format: .uint8, placement: .fit(background: 114, isCentered: false))
        let inner = try ImageTensorWriter(width: 25, height: 15, format: .uint8).bytes(image)
        #expect(try writer.bytes(image) == inner + [UInt8](repeating: 114, count: 25 * 10 * 3))
        let mapping = try writer.mapping(image)
        #expect(mapping.x(0) == 0 && mapping.x(1) == 37)
        #expect(mapping.y(0) == 0 && abs(mapping.y(15.0 / 25) - 23) < 1e-9)
    }

    @Test("fit: bands at the sides when the image is turned; quantized and float backgrounds")
    func fitTurned() throws {
        let image = DecodedImage(pixels: try source(), orientation: .right)
        let plain = try ImageTensorWriter(width: 12, height: 20, format: .uint8).bytes(image)
        let writer = try ImageTensorWriter(width: 20, height: 20, format: .int8, placement: .fit(background: 7))
        let tensor = try writer.bytes(image)
        for y in 0..<20 {
            let row = tensor[(y * 60)..<(y * 60 + 60)]
            #expect(row.prefix(12).allSatisfy { $0 == 7 ^ 0x80 } && row.suffix(12).allSatisfy { $0 == 7 ^ 0x80 })
            #expect(row.dropFirst(12).dropLast(12).elementsEqual(plain[(y * 36)..<(y * 36 + 36)].map { $0 ^ 0x80 }))
        }
        let floats = try ImageTensorWriter(
            width: 20, height: 20, format: .float32(mean: [7], std: [2]), placement: .fit(background: 9))
        #expect(try floats.floats(image)[0...2] == [1, 1, 1])
    }

    @Test("fit: an image of extreme proportions keeps at least one row")
    func fitStrip() throws {
        let strip = try PixelImage(
            format: .gray, width: 1000, height: 1,
            planes: [PixelImage.Plane(Data(repeating: 200, count: 1000), bytesPerRow: 1000)])
        let writer = try ImageTensorWriter(width: 5, height: 5, format: .uint8, placement: .fit())
        let tensor = try writer.bytes(DecodedImage(pixels: strip))
        #expect(
            tensor == [UInt8](repeating: 0, count: 30) + Array(repeating: 200, count: 15)
                + Array(repeating: 0, count: 30))
    }

    @Test("crop: the largest middle part of the input's proportions")
    func crop() throws {
        let image = DecodedImage(pixels: try source())
        let writer = try ImageTensorWriter(width: 10, height: 10, format: .uint8, placement: .crop)
        let middle = PixelRect(x: 7, y: 0, width: 23, height: 23)
        let plain = try ImageTensorWriter(width: 10, height: 10, format: .uint8)
        #expect(try writer.bytes(image) == plain.bytes(image, region: middle))
        #expect(try writer.mapping(image) == plain.mapping(image, region: middle))
        // Proportions that leave parts of pixels over.
        let wide = try ImageTensorWriter(width: 16, height: 9, format: .uint8, placement: .crop).mapping(image)
        let height = 37.0 * 9 / 16
        #expect(
            wide.x(0) == 0 && abs(wide.y(0) - (23 - height) / 2) < 1e-9 && abs(wide.y(1) - wide.y(0) - height) < 1e-9)
    }

    @Test("a given orientation overrides the file's in the mapping as well")
    func overriddenMapping() throws {
        let image = DecodedImage(pixels: try source(), orientation: .up)
        let writer = try ImageTensorWriter(width: 10, height: 10, format: .uint8)
        let mapping = try writer.mapping(image, orientation: .left)
        #expect(mapping.x(1) == 23 && mapping.y(1) == 37)
        let tall = PixelRect(x: 0, y: 30, width: 23, height: 7)
        #expect(imageErrorCode { _ = try writer.mapping(image, orientation: .left, region: tall) } == nil)
        #expect(imageErrorCode { _ = try writer.mapping(image, region: tall) } == .invalidRegion)
    }

    @Test("a writer that served one image serves another of any size, format and region")
    func samePlanOnlyForSameSizes() throws {
        var random = SeededGenerator(seed: 3)
        let writer = try ImageTensorWriter(width: 9, height: 7, format: .uint8)
        for format in PixelFormat.allCases + PixelFormat.allCases {
            for (width, height) in [(20, 30), (30, 20), (20, 30)] {
                let image = DecodedImage(
                    pixels: try RawImages.image(format, width: width, height: height, padding: 2, &random))
                for region in [nil, PixelRect(x: 1, y: 2, width: 7, height: 9)] {
                    let fresh = try ImageTensorWriter(width: 9, height: 7, format: .uint8)
                    #expect(try writer.bytes(image, region: region) == fresh.bytes(image, region: region))
                }
            }
        }
    }

    @Test("one writer serves many threads with images of different sizes")
    func threads() throws {
        let writer = try ImageTensorWriter(width: 9, height: 7, format: .uint8)
        var random = SeededGenerator(seed: 9)
        let images = try [(20, 30), (30, 20), (9, 7)].map { width, height in
            DecodedImage(pixels: try RawImages.image(.bgra, width: width, height: height, padding: 1, &random))
        }
        let expected = try images.map { try writer.bytes($0) }
        DispatchQueue.concurrentPerform(iterations: 600) { index in
            let tensor = try? writer.bytes(images[index % 3])
            #expect(tensor == expected[index % 3])
        }
    }
}
