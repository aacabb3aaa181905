import Foundation
import HearthImaging
import HearthTestSupport
import Testing

@Suite("Encoding pictures")
struct EncodingTests {
    @Test("a PNG gives back every pixel", arguments: [(37, 23), (1, 1), (1, 900), (900, 1), (65_501, 1)])
    func pngRoundTrip(width: Int, height: Int) throws {
        let image = try PaintedImage.noise(width: width, height: height)
        let decoded = try ImageDecoder.decode(ImageEncoder.encode(image, as: .png))
        #expect(decoded.pixels.width == width && decoded.pixels.height == height)
        #expect(decoded.orientation == .up)
        #expect(decoded.pixels.bytes == image.bytes)
    }

    @Test("every compression level of a PNG holds the same picture", arguments: 0...9)
    func pngLevels(level: Int) throws {
        let image = try PaintedImage.gradient(width: 64, height: 48)
        let data = try ImageEncoder.encode(image, as: .png, options: ImageEncodeOptions(pngCompressionLevel: level))
        #expect(try ImageDecoder.decode(data).pixels.bytes == image.bytes)
    }

    @Test("a JPEG looks like the picture", arguments: [(160, 90), (1, 1), (7, 3), (1, 65_500)])
    func jpegRoundTrip(width: Int, height: Int) throws {
        let image = try PaintedImage.gradient(width: width, height: height)
        let decoded = try ImageDecoder.decode(ImageEncoder.encode(image, as: .jpeg))
        #expect(decoded.pixels.width == width && decoded.pixels.height == height)
        let differences = zip(decoded.pixels.bytes, image.bytes).map { abs(Int($0) - Int($1)) }
        #expect(try #require(differences.max()) <= 12)
    }

    @Test("a red line of one pixel stays red in a JPEG by default, and pales with coarse colours")
    func chroma() throws {
        let image = try PaintedImage.filled(width: 48, height: 48) { x, _ in x == 20 ? (255, 0, 0) : (128, 128, 128) }
        func greenOfLine(_ options: ImageEncodeOptions) throws -> Int {
            let decoded = try ImageDecoder.decode(ImageEncoder.encode(image, as: .jpeg, options: options))
            return Int(decoded.pixels.bytes[(24 * 48 + 20) * 3 + 1])
        }
        #expect(try greenOfLine(ImageEncodeOptions()) < 30)
        #expect(try greenOfLine(ImageEncodeOptions(chromaSubsampling: .quarter)) > 40)
    }

    @Test("a lower quality makes a smaller JPEG")
    func quality() throws {
        let image = try PaintedImage.noise(width: 100, height: 100)
        let sizes = try [1, 50, 90, 100].map {
            try ImageEncoder.encode(image, as: .jpeg, options: ImageEncodeOptions(jpegQuality: $0)).count
        }
        #expect(sizes == sizes.sorted() && Set(sizes).count == 4)
    }

    @Test(
        "options out of range are errors",
        arguments: [
            ImageEncodeOptions(jpegQuality: 0), ImageEncodeOptions(jpegQuality: 101),
            ImageEncodeOptions(jpegQuality: .min), ImageEncodeOptions(pngCompressionLevel: -1),
            ImageEncodeOptions(pngCompressionLevel: 10), ImageEncodeOptions(pngCompressionLevel: .max),
        ])
    func invalidOptions(options: ImageEncodeOptions) throws {
        let image = try PaintedImage.gradient(width: 4, height: 4)
        for format in EncodedImageFormat.allCases {
            let code = imageErrorCode { _ = try ImageEncoder.encode(image, as: format, options: options) }
            #expect(code == .invalidOption)
        }
    }

    @Test("a side beyond 65,500 pixels is an error for a JPEG", arguments: [(65_501, 1), (1, 65_501)])
    func jpegTooLarge(width: Int, height: Int) throws {
        let image = try PaintedImage.gradient(width: width, height: height)
        #expect(imageErrorCode { _ = try ImageEncoder.encode(image, as: .jpeg) } == .tooLarge)
    }

    @Test(
        "the extension says the format",
        arguments: [
            ("a.jpg", EncodedImageFormat.jpeg), ("a.JPEG", .jpeg), ("folder.png/a.Jpg", .jpeg), ("a.png", .png),
            ("/pictures/a.b.PNG", .png), (".hidden.png", .png),
        ])
    func knownExtensions(path: String, format: EncodedImageFormat) throws {
        #expect(try EncodedImageFormat(path: path) == format)
    }

    @Test(
        "other extensions are errors that name the accepted ones",
        arguments: ["", "a", "a.", "a.gif", "png", ".png", "a.png/", "folder.png/a", "a.jpg ", "a.png.txt"])
    func unknownExtensions(path: String) throws {
        let error = #expect(throws: ImageError.self) { try EncodedImageFormat(path: path) }
        #expect(error?.code == .unknownExtension)
        #expect(error?.message.contains(".jpg, .jpeg or .png") == true)
    }

    @Test("raw pictures are converted, and padding between their rows is left out", arguments: PixelFormat.allCases)
    func rawPictures(format: PixelFormat) throws {
        var random = SeededGenerator(seed: 4)
        let raw = try RawPictures.picture(format, width: 33, height: 21, padding: 5, &random)
        for encoded in EncodedImageFormat.allCases {
            let decoded = try ImageDecoder.decode(ImageEncoder.encode(raw, as: encoded))
            #expect(decoded.pixels.width == 33 && decoded.pixels.height == 21)
            if encoded == .png { #expect(try decoded.pixels.bytes == raw.rgb().bytes) }
        }
    }
}
