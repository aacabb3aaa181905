import Foundation
import HearthFiles
import HearthTestSupport
import Testing

@testable import HearthImaging

@Suite("Writing image files")
struct ImageFileWritingTests {
    private let folder: TemporaryFolder
    private let image: PixelImage

    init() throws {
        folder = try TemporaryFolder()
        image = try PaintedImage.gradient(width: 60, height: 40)
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
