import Foundation
import HearthImaging
import HearthTestSupport
import Testing

@Suite("Damaged and foreign data")
struct DamagedDataTests {
    private static let partial = ImageDecodeOptions(allowPartial: true)

    @Test("nothing, text and other formats are named as what they are")
    func foreign() {
        #expect(decodingErrorCode(Data()) == .empty)
        #expect(decodingErrorCode(Data("hello, not a picture".utf8)) == .notAnImage)
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
        #expect(error?.description == "\(name) is not supported yet; use JPEG, PNG, WebP, BMP or GIF")
    }

    @Test("a file cut at any byte is an error, never a picture", arguments: ["rgb.png", "interlaced.png", "gray.jpg"])
    func cutAnywhere(name: String) throws {
        let whole = try ImageFixtures.data(name)
        for length in 0..<whole.count {
            let code = decodingErrorCode(whole.prefix(length))
            #expect(code == (length == 0 ? .empty : length < (name == "gray.jpg" ? 3 : 8) ? .notAnImage : .truncated))
        }
    }

    @Test("what is left of a cut file is returned on request", arguments: ["resize_74x46.png", "orientation_1.jpg"])
    func partialPicture(name: String) throws {
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
        // Bytes that belong to nothing, between the picture and the end marker.
        jpeg.insert(contentsOf: Data(repeating: 0x12, count: 40), at: jpeg.count - 2)
        #expect(decodingErrorCode(jpeg) == .corrupt)
        #expect(try ImageDecoder.decode(jpeg, options: Self.partial).isPartial)
    }

    @Test("pictures without a size are damaged")
    func noSize() throws {
        #expect(decodingErrorCode(ImageBuilder.png(width: 0, height: 5, pictureData: Data())) == .corrupt)
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
