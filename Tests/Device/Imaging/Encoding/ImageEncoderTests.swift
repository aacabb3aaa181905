import Foundation
import HearthFiles
import HearthTestSupport
import Testing

@testable import HearthImaging

@Suite("Encoding images")
struct EncodingTests {
    @Test("a PNG gives back every pixel", arguments: [(37, 23), (1, 1), (1, 900), (900, 1), (65_501, 1)])
    func pngRoundTrip(width: Int, height: Int) throws {
        let image = try GeneratedImage.noise(width: width, height: height)
        let decoded = try ImageDecoder.decode(ImageEncoder.encode(image, as: .png))
        #expect(decoded.pixels.width == width && decoded.pixels.height == height)
        #expect(decoded.orientation == .up)
        #expect(decoded.pixels.bytes == image.bytes)
    }

    @Test("every compression level of a PNG holds the same image", arguments: 0...9)
    func pngLevels(level: Int) throws {
        let image = try GeneratedImage.gradient(width: 64, height: 48)
        let data = try ImageEncoder.encode(image, as: .png, options: ImageEncodeOptions(pngCompressionLevel: level))
        #expect(try ImageDecoder.decode(data).pixels.bytes == image.bytes)
    }

    @Test("a JPEG looks like the image", arguments: [(160, 90), (1, 1), (7, 3), (1, 65_500)])
    func jpegRoundTrip(width: Int, height: Int) throws {
        let image = try GeneratedImage.gradient(width: width, height: height)
        let decoded = try ImageDecoder.decode(ImageEncoder.encode(image, as: .jpeg))
        #expect(decoded.pixels.width == width && decoded.pixels.height == height)
        let differences = zip(decoded.pixels.bytes, image.bytes).map { abs(Int($0) - Int($1)) }
        #expect(try #require(differences.max()) <= 12)
    }

    @Test("a red line of one pixel stays red in a JPEG by default, and pales with coarse colours")
    func chroma() throws {
        let image = try GeneratedImage.filled(width: 48, height: 48) { x, _ in x == 20 ? (255, 0, 0) : (128, 128, 128) }
        func greenOfLine(_ options: ImageEncodeOptions) throws -> Int {
            let decoded = try ImageDecoder.decode(ImageEncoder.encode(image, as: .jpeg, options: options))
            return Int(decoded.pixels.bytes[(24 * 48 + 20) * 3 + 1])
        }
        #expect(try greenOfLine(ImageEncodeOptions()) < 30)
        #expect(try greenOfLine(ImageEncodeOptions(chromaSubsampling: .quarter)) > 40)
    }

    @Test("a lower quality makes a smaller JPEG")
    func quality() throws {
        let image = try GeneratedImage.noise(width: 100, height: 100)
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
        let image = try GeneratedImage.gradient(width: 4, height: 4)
        for format in EncodedImageFormat.allCases {
            let code = imageErrorCode { _ = try ImageEncoder.encode(image, as: format, options: options) }
            #expect(code == .invalidOption)
        }
    }

    @Test("a side beyond 65,500 pixels is an error for a JPEG", arguments: [(65_501, 1), (1, 65_501)])
    func jpegTooLarge(width: Int, height: Int) throws {
        let image = try GeneratedImage.gradient(width: width, height: height)
        #expect(imageErrorCode { _ = try ImageEncoder.encode(image, as: .jpeg) } == .tooLarge)
    }

    @Test(
        "the extension says the format",
        arguments: [
            ("a.jpg", EncodedImageFormat.jpeg), ("a.JPEG", .jpeg), ("folder.png/a.Jpg", .jpeg), ("a.png", .png),
            ("/images/a.b.PNG", .png), (".hidden.png", .png),
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

    @Test("raw images are converted, and padding between their rows is left out", arguments: PixelFormat.allCases)
    func rawImages(format: PixelFormat) throws {
        var random = SeededGenerator(seed: 4)
        let raw = try RawImages.image(format, width: 33, height: 21, padding: 5, &random)
        for encoded in EncodedImageFormat.allCases {
            let decoded = try ImageDecoder.decode(ImageEncoder.encode(raw, as: encoded))
            #expect(decoded.pixels.width == 33 && decoded.pixels.height == 21)
            if encoded == .png { #expect(try decoded.pixels.bytes == raw.rgb().bytes) }
        }
    }
}

@Suite("Writing image files")
struct ImageFileWritingTests {
    private let folder: TemporaryFolder
    private let image: PixelImage

    init() throws {
        folder = try TemporaryFolder()
        image = try GeneratedImage.gradient(width: 60, height: 40)
    }

    private func path(_ name: String) -> String { folder.path + "/" + name }

    private var names: [String] {
        get throws { try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() }
    }

    @Test("the file holds what its extension says, and is the only one")
    func writes() throws {
        try ImageEncoder.write(image, toFile: path("a.jpg"))
        try ImageEncoder.write(image, toFile: path("a.PNG"))
        #expect(try names == ["a.PNG", "a.jpg"])
        #expect(try Data(contentsOf: URL(fileURLWithPath: path("a.jpg"))).prefix(2) == Data([0xFF, 0xD8]))
        #expect(try ImageDecoder.decode(contentsOfFile: path("a.PNG")).pixels.bytes == image.bytes)
    }

    @Test("an older file is replaced")
    func replaces() throws {
        _ = try folder.write(Array("old".utf8), to: "a.png")
        try ImageEncoder.write(image, toFile: path("a.png"))
        #expect(try names == ["a.png"])
        #expect(try ImageDecoder.decode(contentsOfFile: path("a.png")).pixels.bytes == image.bytes)
    }

    @Test("others may read the file, as far as the umask lets them")
    func mode() throws {
        close(open(path("made"), O_CREAT | O_WRONLY, 0o666))
        try ImageEncoder.write(image, toFile: path("a.png"))
        func mode(_ path: String) throws -> Int {
            let attributes = try FileManager.default.attributesOfItem(atPath: path)
            return try #require(attributes[.posixPermissions] as? Int)
        }
        #expect(try mode(path("a.png")) == mode(path("made")))
    }

    @Test("on a full disk the old file stays and nothing else is left", arguments: [0, 1])
    func fullDisk(room: Int) throws {
        _ = try folder.write(Array("old".utf8), to: "a.png")
        let files = FailingFiles()
        files.limitSpace(room)
        #expect(code(writing: "a.png", files) == .noSpace)
        #expect(try names == ["a.png"])
        #expect(try Data(contentsOf: URL(fileURLWithPath: path("a.png"))) == Data("old".utf8))
    }

    @Test("a folder that may not be written to is an error")
    func notPermitted() throws {
        let files = FailingFiles { step in
            guard case .createFile(let path) = step else { return nil }
            return FileError(.notPermitted, "Cannot create \(path): Permission denied")
        }
        #expect(code(writing: "a.png", files) == .unwritableFile)
        #expect(try names.isEmpty)
    }

    @Test("a missing folder is an error")
    func missingFolder() throws {
        #expect(code(writing: "none/a.png", DiskFiles()) == .unwritableFile)
        #expect(try names.isEmpty)
    }

    @Test("a folder in the file's place is an error, and stays")
    func folderInPlace() throws {
        _ = try folder.write([], to: "a.png/inside")
        #expect(code(writing: "a.png", DiskFiles()) == .unwritableFile)
        #expect(try names == ["a.png"])
    }

    @Test("an unknown extension is an error before anything is written")
    func unknownExtension() throws {
        #expect(code(writing: "a.webp", DiskFiles()) == .unknownExtension)
        #expect(try names.isEmpty)
    }

    private func code(writing name: String, _ files: any FileOperations) -> ImageError.Code? {
        imageErrorCode {
            try ImageEncoder.write(image, toFile: path(name), options: ImageEncodeOptions(), files: files)
        }
    }
}
