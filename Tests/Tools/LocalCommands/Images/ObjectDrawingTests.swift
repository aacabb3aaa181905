import Glibc
import HearthTestSupport
import Testing

@testable import HearthLocalCommands

@Suite struct DrawingTargetTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    @Test func oneDrawingGoesIntoTheFile() throws {
        let target = try DrawingTarget(folder.path + "/out.png", isFile: true)
        #expect(target.folder == nil)
        #expect(try target.file(for: "photos/a.jpg") == folder.path + "/out.png")
    }

    @Test func oneDrawingForAFolderGoesIntoIt() throws {
        let target = try DrawingTarget(folder.path, isFile: true)
        #expect(try target.file(for: "/a.jpg") == folder.path + "/a.jpg")
    }

    @Test func severalMirrorTheirPaths() throws {
        let target = try DrawingTarget(folder.path + "/new/out", isFile: false)
        #expect(try target.file(for: "/photos/x/a.jpg") == folder.path + "/new/out/photos/x/a.jpg")
        #expect(ImageListing.isFolder(folder.path + "/new/out/photos/x"))
        #expect(target.name(of: "/etc/x/.././a.png") == "etc/a.png")
        // Formats that are not written, and names without an ending, keep their name as a part of the new one.
        #expect(target.name(of: "/x/a.webp") == "x/a.webp.png")
        #expect(target.name(of: "/x/photo") == "x/photo.png")
    }

    @Test func theFolderThatAllHaveInCommonIsLeftOut() throws {
        _ = try folder.write([1], to: "photos/sub/a.jpg")
        let photos = folder.path + "/photos"
        func name(_ named: [String], _ image: String) throws -> String {
            try DrawingTarget(folder.path + "/out", isFile: false, named: named).name(of: image)
        }
        #expect(try name([photos], photos + "/sub/a.jpg") == "sub/a.jpg")
        #expect(try name([photos + "/sub/a.jpg"], photos + "/sub/a.jpg") == "a.jpg")
        #expect(try name(["x/a.jpg", "x/y/a.jpg"], "x/y/a.jpg") == "y/a.jpg")
        #expect(try name(["x/a.jpg", "y/a.jpg"], "y/a.jpg") == "y/a.jpg")
        // Not one file: two drawings.
        #expect(try name(["../a.jpg", "a.jpg"], "../a.jpg") != name(["../a.jpg", "a.jpg"], "a.jpg"))
    }

    @Test func filesAreLeftAloneUnlessToldOtherwise() throws {
        let file = try folder.write([1], to: "out/a.png")
        #expect(throws: CommandFailure.self) { try DrawingTarget(file, isFile: true).file(for: "b.png") }
        let out = folder.path + "/out"
        #expect(throws: CommandFailure.self) {
            try DrawingTarget(out, isFile: true, named: ["a.png"]).file(for: "a.png")
        }
        let target = try DrawingTarget(out, isFile: true, overwrites: true, named: ["a.png"])
        #expect(try target.file(for: "a.png") == file)
    }

    @Test func aImageIsNeverReplacedByItsDrawing() throws {
        let image = try folder.write([1], to: "photos/a.png")
        symlink("photos/a.png", folder.path + "/link.png")
        for path in [image, folder.path + "/link.png"] {
            let target = try DrawingTarget(path, isFile: true)
            #expect(throws: CommandFailure.self) { try target.file(for: image) }
        }
    }

    @Test func placesThatCannotBeDrawnIntoAreRefusedBeforeTheWork() throws {
        let file = try folder.write([1], to: "file")
        #expect(throws: (any Error).self) { try DrawingTarget(folder.path + "/out.gif", isFile: true) }
        #expect(throws: (any Error).self) { try DrawingTarget("", isFile: true) }
        #expect(throws: CommandFailure.self) { try DrawingTarget(file + "/sub", isFile: false) }
    }
}
