import Glibc
import HearthTestSupport
import Synchronization
import Testing

@testable import HearthLocalCommands

@Suite struct ImageListingTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func write(_ names: String...) throws {
        for name in names { _ = try folder.write([], to: name) }
    }

    /// All entries; paths without the folder's own.
    private func entries(_ source: ImageListing) -> [String] {
        var source = source
        var found: [String] = []
        while let entry = source.next() {
            switch entry {
            case .image(let path): found.append(relative(path))
            case .failure(let path, _): found.append("! " + relative(path))
            }
        }
        return found
    }

    private func relative(_ path: String) -> String {
        path.hasPrefix(folder.path + "/") ? String(path.dropFirst(folder.path.count + 1)) : path
    }

    @Test func aFolderGivesItsImagesInTheOrderOfTheirNames() throws {
        try write("b.png", "a.jpg", "sub/2.webp", "sub/10.bmp", "sub/deep/x.gif", "c.JPEG", "é.png")
        #expect(
            entries(ImageListing([folder.path]))
                == ["a.jpg", "b.png", "c.JPEG", "sub/10.bmp", "sub/2.webp", "sub/deep/x.gif", "é.png"])
    }

    @Test func otherFilesAndHiddenOnesAreLeftOut() throws {
        try write("notes.txt", "jpg", "png.", ".hidden.png", ".git/x.png", "model.tflite", "a.png")
        #expect(entries(ImageListing([folder.path])) == ["a.png"])
    }

    @Test func whatTheUserNamesIsTriedWhateverItsName() throws {
        try write("photo", "a.png")
        let named = [folder.path + "/photo", folder.path + "/none.jpg", folder.path + "/a.png"]
        #expect(entries(ImageListing(named)) == ["photo", "none.jpg", "a.png"])
    }

    @Test func filesAndFoldersKeepTheOrderInWhichTheyAreNamed() throws {
        try write("one/b.png", "one/a.png", "two/c.png", "z.png")
        let named = ["z.png", "two", "one/", "z.png"].map { folder.path + "/" + $0 }
        #expect(entries(ImageListing(named)) == ["z.png", "two/c.png", "one/a.png", "one/b.png", "z.png"])
    }

    @Test func linksToImagesCountAndLinksToFoldersDoNot() throws {
        try write("a.png", "sub/b.png")
        symlink("a.png", folder.path + "/link.png")
        symlink("nowhere", folder.path + "/broken.png")
        symlink("..", folder.path + "/sub/up")
        symlink("sub", folder.path + "/other.png")
        symlink("loop.png", folder.path + "/loop.png")
        #expect(entries(ImageListing([folder.path])) == ["a.png", "link.png", "sub/b.png"])
        // Named by the user, such a link is followed.
        #expect(entries(ImageListing([folder.path + "/sub/up/sub"])) == ["sub/up/sub/b.png"])
    }

    @Test func aPipeIsNoImage() throws {
        try write("a.png")
        mkfifo(folder.path + "/b.png", 0o600)
        #expect(entries(ImageListing([folder.path])) == ["a.png"])
    }

    /// As for a folder that vanishes while the run is on its way to it.
    @Test func aFolderThatCannotBeReadIsToldInItsPlace() throws {
        try write("a.png", "gone/x.png", "z.png")
        var source = ImageListing([folder.path])
        #expect(source.next() == .image(folder.path + "/a.png"))
        unlink(folder.path + "/gone/x.png")
        rmdir(folder.path + "/gone")
        #expect(entries(source) == ["! gone", "z.png"])
    }

    @Test func theIgnoredFolderIsLeftOutUnderAnyName() throws {
        try write("a.png", "out/b.png", "out/sub/c.png")
        symlink("out", folder.path + "/alias")
        #expect(entries(ImageListing([folder.path], ignoring: folder.path + "/./alias")) == ["a.png"])
    }

    @Test func theIgnoredFolderIsAFailureWhereItIsNamedItself() throws {
        try write("out/b.png")
        let source = ImageListing([folder.path + "/out"], ignoring: folder.path + "/out")
        #expect(entries(source) == ["! out"])
    }

    @Test func theTotalIsKnownOnceNoFolderIsLeftToOpen() throws {
        try write("a.png", "b.png", "sub/c.png")
        var source = ImageListing([folder.path, folder.path + "/a.png"])
        #expect(source.total == nil)
        for _ in 0..<2 { _ = source.next() }
        #expect(source.total == nil)
        _ = source.next()
        #expect(source.total == 4)
        #expect(ImageListing(["x.png", "y.png"]).total == 2)
    }

    @Test func linesComeAfterWhatWasNamed() throws {
        try write("a.png", "sub/c.png")
        let lines = Mutex(["", "none.png", folder.path + "/sub"])
        let source = ImageListing([folder.path + "/a.png"]) {
            lines.withLock { $0.isEmpty ? nil : $0.removeFirst() }
        }
        #expect(source.total == nil)
        #expect(entries(source) == ["a.png", "none.png", "sub/c.png"])
    }

    @Test func manyNamesStayInOrder() throws {
        let names = (0..<3000).map { "\(($0 * 7919) % 3000).png" }
        for name in names { _ = try folder.write([], to: name) }
        #expect(
            entries(ImageListing([folder.path]))
                == names.sorted { Array($0.utf8).lexicographicallyPrecedes(Array($1.utf8)) })
    }
}
