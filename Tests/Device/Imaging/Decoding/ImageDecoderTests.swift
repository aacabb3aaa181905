import Foundation
import HearthImaging
import HearthTestSupport
import Testing

@Suite("Decoding gives the right upright pixels")
struct DecodingTests {
    @Test("every fixture", arguments: ImageFixtures.names)
    func decodes(name: String) throws {
        let expected = try #require(ImageFixtures.expectations[name])
        let image = try ImageFixtures.image(name)
        let upright = try image.upright()

        #expect(image.orientation.rawValue == expected.orientation)
        #expect(!image.isPartial)
        #expect(image.uprightSize == (expected.width, expected.height))
        #expect(upright.width == expected.width && upright.height == expected.height)
        #expect(upright.bytes == expected.bytes)
    }

    @Test("the fixtures are there")
    func fixturesExist() {
        #expect(ImageFixtures.names.count > 75)
    }

    @Test("content decides, not the file's name")
    func contentDecides() throws {
        let folder = try TemporaryFolder()
        let path = try folder.write(ImageFixtures.data("rgb.png"), to: "photo.jpg")
        #expect(try ImageDecoder.decode(contentsOfFile: path).pixels.width == 16)
    }

    @Test("a slice of a larger buffer decodes like the whole")
    func slice() throws {
        let png = try ImageFixtures.data("rgb.png")
        let slice = (Data(count: 13) + png + Data(count: 5))[13..<(13 + png.count)]
        #expect(try ImageDecoder.decode(slice).pixels.bytes == ImageFixtures.image("rgb.png").pixels.bytes)
    }

    @Test("pixels outlive the data that they came from, and copies share them")
    func pixelsOutlive() throws {
        func pixels() throws -> PixelImage { try ImageFixtures.image("rgb.png").pixels }
        let (first, second) = (try pixels(), try pixels())
        let copy = first
        let addresses = (first.withUnsafeBytes { $0.baseAddress }, copy.withUnsafeBytes { $0.baseAddress })
        #expect(addresses.0 == addresses.1)
        #expect(first.bytes == second.bytes)
    }
}

@Suite("Damaged and foreign data")
struct DamagedDataTests {
    private static let partial = ImageDecodeOptions(allowPartial: true)

    @Test("nothing, text and other formats are named as what they are")
    func foreign() {
        #expect(decodingErrorCode(Data()) == .empty)
        #expect(decodingErrorCode(Data("hello, not an image".utf8)) == .notAnImage)
        #expect(decodingErrorCode(Data("BM is a company".utf8)) == .notAnImage)
        #expect(decodingErrorCode(Data([0xFF])) == .notAnImage)
    }

    @Test(
        "formats that are known but not decoded",
        arguments: [
            ("TIFF", Data("II*\0....".utf8)), ("HEIC", Data("\0\0\0 ftypheic".utf8)),
            ("AVIF", Data("\0\0\0 ftypavif".utf8)),
        ])
    func unsupported(name: String, data: Data) throws {
        let error = #expect(throws: ImageError.self) { try ImageDecoder.decode(data) }
        #expect(error?.code == .unsupportedFormat)
        #expect(error?.message == "\(name) is not supported; use JPEG, PNG, WebP, BMP or GIF")
    }

    @Test("a file cut at any byte is an error, never an image", arguments: ["rgb.png", "interlaced.png", "gray.jpg"])
    func cutAnywhere(name: String) throws {
        let whole = try ImageFixtures.data(name)
        for length in 0..<whole.count {
            let code = decodingErrorCode(whole.prefix(length))
            #expect(code == (length == 0 ? .empty : length < (name == "gray.jpg" ? 3 : 8) ? .notAnImage : .truncated))
        }
    }

    @Test("what is left of a cut file is returned on request", arguments: ["resize_74x46.png", "orientation_1.jpg"])
    func partialImage(name: String) throws {
        let whole = try ImageFixtures.data(name)
        let image = try ImageDecoder.decode(whole.prefix(whole.count - 20), options: Self.partial)
        #expect(image.isPartial)
        let complete = try ImageDecoder.decode(whole, options: Self.partial)
        #expect(!complete.isPartial)
        #expect(image.pixels.bytes.prefix(24) == complete.pixels.bytes.prefix(24))
        #expect(image.pixels.byteCount == complete.pixels.byteCount)
    }

    @Test("a file cut in its header is an error even then", arguments: ["rgb.png", "gray.jpg"])
    func cutHeader(name: String) throws {
        #expect(decodingErrorCode(try ImageFixtures.data(name).prefix(40), Self.partial) == .truncated)
    }

    @Test("a wrong checksum over the pixels is an error")
    func wrongChecksum() throws {
        var png = try ImageFixtures.data("rgb.png")
        let checksum = try #require(png.range(of: Data("IEND".utf8))).lowerBound - 8
        png[checksum] ^= 1
        #expect(decodingErrorCode(png) == .corrupt)
        #expect(try ImageDecoder.decode(png, options: Self.partial).isPartial)
    }

    @Test("a JPEG that libjpeg would only warn about is an error")
    func jpegWarning() throws {
        var jpeg = try ImageFixtures.data("chroma_420.jpg")
        // Bytes that belong to nothing, between the image and the end marker.
        jpeg.insert(contentsOf: Data(repeating: 0x12, count: 40), at: jpeg.count - 2)
        #expect(decodingErrorCode(jpeg) == .corrupt)
        #expect(try ImageDecoder.decode(jpeg, options: Self.partial).isPartial)
    }

    @Test("images without a size are damaged")
    func noSize() throws {
        #expect(decodingErrorCode(ImageBuilder.png(width: 0, height: 5, imageData: Data())) == .corrupt)
        let jpeg = try ImageBuilder.resized(ImageFixtures.data("gray.jpg"), width: 0, height: 8)
        #expect(decodingErrorCode(jpeg) == .corrupt)
    }

    @Test("paths that are no readable file")
    func paths() throws {
        func code(_ path: String) -> ImageError.Code? {
            imageErrorCode { _ = try ImageDecoder.decode(contentsOfFile: path) }
        }
        let folder = try TemporaryFolder()
        #expect(code(folder.path + "/absent.png") == .notFound)
        #expect(code(folder.path) == .unreadableFile)
        #expect(code("/dev/zero") == .unreadableFile)
        #expect(code(try folder.write([], to: "empty.png")) == .empty)
        let pipe = folder.path + "/pipe"
        #expect(mkfifo(pipe, 0o600) == 0)
        #expect(code(pipe) == .unreadableFile)
    }
}

@Suite("Mutated files give an image or an error")
struct MutationTests {
    @Test("bit flips, overwritten runs and cuts", arguments: ImageFixtures.names)
    func mutate(name: String) throws {
        let original = try ImageFixtures.data(name)
        var random = SeededGenerator(seed: UInt64(original.count))
        let writer = try ImageTensorWriter(width: 5, height: 5, format: .uint8)
        for _ in 0..<60 {
            let mutant = Self.mutant(of: original, &random)
            for allowPartial in [false, true] {
                let limits = ImageLimits(maxPixels: 1 << 20)
                let options = ImageDecodeOptions(limits: limits, allowPartial: allowPartial)
                _ = imageErrorCode {
                    let image = try ImageDecoder.decode(mutant, options: options)
                    #expect(image.pixels.width * image.pixels.height <= limits.maxPixels)
                    #expect(allowPartial || !image.isPartial)
                    #expect(try writer.bytes(image).count == 75)
                }
            }
        }
    }

    private static func mutant(of original: Data, _ random: inout SeededGenerator) -> Data {
        var bytes = [UInt8](original)
        switch Int.random(in: 0..<4, using: &random) {
        case 0: bytes.removeLast(Int.random(in: 0...bytes.count, using: &random))
        case 1:
            let start = Int.random(in: 0..<bytes.count, using: &random)
            for index in start..<min(start + 4, bytes.count) {
                bytes[index] = UInt8.random(in: 0...255, using: &random)
            }
        default:
            for _ in 0..<Int.random(in: 1...3, using: &random) {
                bytes[Int.random(in: 0..<bytes.count, using: &random)] ^= 1 << UInt8.random(in: 0...7, using: &random)
            }
        }
        return Data(bytes)
    }
}

/// SplitMix64: the same sequence for the same seed.
struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) {
        state = seed
    }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var value = state
        value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
        value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
        return value ^ (value >> 31)
    }
}
