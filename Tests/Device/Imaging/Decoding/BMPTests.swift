import Foundation
import HearthImaging
import Testing

@Suite("BMP: damage, odd files, limits")
struct BMPTests {
    private static let partial = ImageDecodeOptions(allowPartial: true)

    /// Where the header's fields are.
    private enum Field {
        static let pixelOffset = 10, headerSize = 14, width = 18, height = 22, bits = 28, coding = 30, colors = 46
        static let masks = 54
    }

    private func code(_ name: String, _ field: Int, _ value: UInt32) throws -> ImageError.Code? {
        decodingErrorCode(try ImageFixtures.data(name).replacing(field, with: ImageBuilder.littleEndian(value)))
    }

    @Test(
        "a file cut at any byte is an error; only the last row's padding and the runs' end mark may lack",
        arguments: [
            ("bgr.bmp", 3), ("top_down.bmp", 3), ("indexed_1.bmp", 2), ("core_8.bmp", 1), ("rgb565.bmp", 2),
            ("alpha_fields.bmp", 0), ("runs_8.bmp", 4), ("runs_4.bmp", 4),
        ])
    func cutAnywhere(name: String, dispensable: Int) throws {
        let whole = try ImageFixtures.data(name)
        for length in 1..<whole.count {
            let expected: ImageError.Code? =
                length < 10 ? .notAnImage : length < whole.count - dispensable ? .truncated : nil
            #expect(decodingErrorCode(whole.prefix(length)) == expected)
        }
    }

    @Test("what is left of a cut file is returned on request, from the bottom up")
    func partialImage() throws {
        let whole = try ImageFixtures.data("bgr.bmp")
        let image = try ImageDecoder.decode(whole.prefix(whole.count - 40), options: Self.partial)
        #expect(image.isPartial)
        var expected = try ImageFixtures.image("bgr.bmp").pixels.bytes
        for index in 0..<66 { expected[index] = 0 }
        #expect(image.pixels.bytes == expected)
        let runs = try ImageFixtures.data("runs_8.bmp")
        #expect(try ImageDecoder.decode(runs.prefix(runs.count - 40), options: Self.partial).isPartial)
        #expect(decodingErrorCode(whole.prefix(60), Self.partial) == .truncated)
    }

    @Test("codings that hold other formats are named as not supported")
    func unsupported() throws {
        for coding: UInt32 in [4, 5, 7, 11, .max] {
            #expect(try code("bgr.bmp", Field.coding, coding) == .unsupportedFormat)
        }
        #expect(try code("os2_64.bmp", Field.coding, 3) == .unsupportedFormat)
        #expect(try code("rgb565.bmp", Field.masks, 0b1010_0000_0000_0000) == .unsupportedFormat)
    }

    @Test("headers that make no sense are damaged")
    func wrongHeaders() throws {
        for size: UInt32 in [0, 1, 11, 13, 15, 125, 0x7FFF_FFFF, .max] {
            #expect(try code("bgr.bmp", Field.headerSize, size) == .corrupt)
        }
        for bits: UInt32 in [0, 3, 5, 7, 9, 33, 0xFFFF] {
            #expect(try code("bgr.bmp", Field.bits, bits) == .corrupt)
        }
        // 24 bits with runs or masks.
        for coding: UInt32 in [1, 2, 3, 6] {
            #expect(try code("bgr.bmp", Field.coding, coding) == .corrupt)
        }
        for width: UInt32 in [0, 0x8000_0000, .max] {
            #expect(try code("bgr.bmp", Field.width, width) == .corrupt)
        }
        #expect(try code("bgr.bmp", Field.height, 0) == .corrupt)
        for offset: UInt32 in [0, 53] {
            #expect(try code("bgr.bmp", Field.pixelOffset, offset) == .corrupt)
        }
        for offset: UInt32 in [1000, .max] {
            #expect(try code("bgr.bmp", Field.pixelOffset, offset) == .truncated)
        }
    }

    @Test("sizes beyond the limits are refused before memory is taken, and smaller ones when their rows lack")
    func sizes() throws {
        #expect(try code("bgr.bmp", Field.width, 0x7FFF_FFFF) == .tooLarge)
        #expect(try code("bgr.bmp", Field.height, 0x7FFF_FFFF) == .tooLarge)
        #expect(try code("bgr.bmp", Field.height, 0x8000_0000) == .tooLarge)  // 2,147,483,648 rows, the top one first
        #expect(try code("bgr.bmp", Field.width, 60_000) == .truncated)
        #expect(try code("bgr.bmp", Field.height, 8) == .truncated)
        let unlimited = ImageDecodeOptions(limits: ImageLimits(maxPixels: .max, maxSide: .max), allowPartial: true)
        let wide = try ImageFixtures.data("bgr.bmp").replacing(
            Field.width, with: ImageBuilder.littleEndian(UInt32(0x7FFF_FFFF)))
        #expect(decodingErrorCode(wide, unlimited) == .truncated)
    }

    @Test("an index without a colour is black, and a table larger than there is room for is cut")
    func palettes() throws {
        let data = try ImageFixtures.data("indexed_8.bmp")
        let complete = try ImageDecoder.decode(data).pixels.bytes
        for count: UInt32 in [0, 256, 257, .max] {
            let more = data.replacing(Field.colors, with: ImageBuilder.littleEndian(count))
            #expect(try ImageDecoder.decode(more).pixels.bytes == complete)
        }
        let fewer = data.replacing(Field.colors, with: ImageBuilder.littleEndian(UInt32(2)))
        let left = try ImageDecoder.decode(fewer).pixels.bytes
        #expect(left.prefix(6) == complete.prefix(6))
        #expect(left[6..<33].allSatisfy { $0 == 0 })
    }

    @Test(
        "runs that leave the image are cut at its edge",
        arguments: [
            [0, 2, 255, 255, 9, 9, 0, 1], [0, 2, 255, 0, 9, 9, 0, 1], [0, 2, 0, 7, 9, 9, 0, 1],
            [255, 1, 255, 1, 0, 0, 255, 1, 0, 1], [0, 255] + [UInt8](repeating: 3, count: 256) + [0, 1],
        ] as [[UInt8]])
    func runsBeyond(runs: [UInt8]) throws {
        let data = try ImageFixtures.data("runs_skipped.bmp")
        let start = Int(data[Field.pixelOffset])
        let image = try ImageDecoder.decode(data[..<start] + runs)
        #expect(!image.isPartial && image.pixels.byteCount == 77 * 3)
    }

    @Test("runs that break off", arguments: [[], [5], [0], [0, 2, 1], [0, 5, 1, 2], [3, 1]] as [[UInt8]])
    func brokenRuns(runs: [UInt8]) throws {
        let data = try ImageFixtures.data("runs_skipped.bmp")
        #expect(decodingErrorCode(data[..<Int(data[Field.pixelOffset])] + runs) == .truncated)
    }

    @Test("a channel without bits is 0, one of 32 bits counts with its highest 8")
    func masks() throws {
        var data = try ImageFixtures.data("rgb_10_bits.bmp")
        data = data.replacing(Field.masks, with: ImageBuilder.littleEndian(UInt32(0)))
        data = data.replacing(Field.masks + 4, with: ImageBuilder.littleEndian(UInt32.max))
        let start = Int(data[Field.pixelOffset])
        let (pixel, stored) = (try ImageDecoder.decode(data).pixels.bytes.suffix(33).prefix(2), data[start + 3])
        #expect(Array(pixel) == [0, stored])
    }
}
