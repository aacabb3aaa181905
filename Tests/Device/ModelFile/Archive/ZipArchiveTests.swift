import Foundation
import HearthModelFile
import HearthTestSupport
import Testing

/// Zips of Python's zipfile (see make_zips.py beside them), and ones that were tampered with.
@Suite struct ZipArchiveTests {
    static let fixtures = TestPaths.fixtures.appendingPathComponent("ModelFile")

    private func fixture(_ name: String) throws -> [UInt8] {
        [UInt8](try Data(contentsOf: Self.fixtures.appendingPathComponent(name)))
    }

    private func open(_ bytes: [UInt8], _ limits: ZipLimits = ZipLimits()) throws -> ZipArchive {
        try #require(try ZipArchive(in: ModelBytes(copying: bytes), limits: limits))
    }

    private func error(_ bytes: [UInt8], _ limits: ZipLimits = ZipLimits()) -> ModelFileError? {
        #expect(throws: ModelFileError.self) {
            let archive = try open(bytes, limits)
            for member in archive.members { _ = try archive.contents(of: member) }
        }
    }

    /// A zip of two stored members, `a.txt` and `b.txt`, to tamper with.
    private func twoMembers() throws -> [UInt8] {
        var writer = ZipWriter()
        try writer.add("a.txt", Array("alpha".utf8))
        try writer.add("b.txt", Array("beta!".utf8))
        return try writer.appended(to: [])
    }

    /// Where the directory entry of the member number `index` of ``twoMembers()`` starts.
    private func entry(_ index: Int) -> Int { 2 * (30 + 5 + 5) + index * (46 + 5) }

    // MARK: What other writers make

    @Test func readsStoredAndDeflatedMembersAndSkipsFolders() throws {
        let archive = try open(fixture("texts.zip"))
        #expect(archive.members.map(\.name) == ["folder/stored.txt", "deflated.txt", "empty.txt"])
        let texts = try archive.members.map { String(decoding: try archive.contents(of: $0), as: UTF8.self) }
        #expect(texts == ["stored text", String(repeating: "hearth ", count: 1000), ""])
        #expect(archive.member(named: "deflated.txt")?.byteCount == 7000)
        #expect(archive.member(named: "stored.txt") == nil)
        #expect(archive.start == 0)
    }

    @Test(arguments: [("streamed.zip", "streamed.txt", 7000), ("large_header.zip", "a.txt", 4)])
    func readsSizesFromTheDirectoryOnly(file: String, name: String, count: Int) throws {
        let archive = try open(fixture(file))
        let member = try #require(archive.member(named: name))
        #expect(try archive.contents(of: member).count == count)
    }

    /// As `cat model.tflite labels.zip` makes it: the offsets count from the zip's first byte.
    @Test func readsAZipThatWasMadeAloneAndAppended() throws {
        let zip = try twoMembers()
        let archive = try open([1, 2, 3, 4, 5] + zip)
        #expect(archive.start == 5)
        #expect(
            try archive.members.map { String(decoding: try archive.contents(of: $0), as: UTF8.self) } == [
                "alpha", "beta!",
            ])
        let error = error(Array(zip.dropFirst(5)))
        #expect(error?.message == "the zip is damaged: its directory is not at the offset that its end record states")
        var shifted = [1, 2, 3, 4, 5] + zip
        shifted[5 + entry(1) + 42] += 1
        #expect(self.error(shifted)?.message == "the zip is damaged: 'b.txt' is not where its directory says")
    }

    @Test func anEmptyZipIsAZipAndOtherBytesAreNone() throws {
        #expect(try open(fixture("empty.zip")).members.isEmpty)
        #expect(try ZipArchive(in: ModelBytes(copying: TestModel().bytes())) == nil)
        #expect(try ZipArchive(in: ModelBytes(copying: [1])) == nil)
        // The end is gone: no zip to be found.
        #expect(try ZipArchive(in: ModelBytes(copying: fixture("export.zip").dropLast())) == nil)
    }

    // MARK: Writing

    @Test func writesWhatItReadsAfterOtherBytesAndTheSameEachTime() throws {
        let base: [UInt8] = [1, 2, 3, 4, 5]
        var writer = ZipWriter()
        try writer.add("b.txt", [7])
        try writer.add("a/c.txt", [])
        let bytes = try writer.appended(to: base)
        #expect(bytes.starts(with: base))
        #expect(try writer.appended(to: base) == bytes)
        // No comment: the end record is the last 22 bytes.
        #expect(Array(bytes.suffix(22).prefix(4)) == [0x50, 0x4B, 5, 6])
        let archive = try open(bytes)
        #expect(archive.start == 5)
        #expect(archive.members.map(\.name) == ["b.txt", "a/c.txt"])
        #expect(try archive.contents(of: archive.members[0]) == [7])
    }

    @Test func keepsAnExistingMemberUnlessToldToReplaceIt() throws {
        var writer = ZipWriter()
        try writer.add(contentsOf: open(twoMembers()))
        try writer.add("a.txt", Array("alpha".utf8))
        let error = #expect(throws: ModelFileError.self) { try writer.add("a.txt", [1]) }
        #expect(error?.code == .invalidBundle)
        #expect(writer.contents(of: "a.txt") == Array("alpha".utf8))
        try writer.add("a.txt", [1], replacing: true)
        let archive = try open(writer.appended(to: []))
        #expect(archive.members.map(\.name) == ["a.txt", "b.txt"])
        #expect(try archive.contents(of: archive.members[0]) == [1])
    }

    @Test(arguments: ["", "/etc/passwd", "../a", "a/../b", "a\\b", "a\0b", "a//b", "./a", "a/"])
    func doesNotWriteUnsafeNames(name: String) {
        var writer = ZipWriter()
        #expect(throws: ModelFileError.self) { try writer.add(name, []) }
    }

    // MARK: Hostile zips

    @Test(arguments: ["/.txt", "../xy", "..\\ab", "a\0txt", "a\ntxt", "a//xy", "./a.b"])
    func refusesUnsafeNames(name: String) throws {
        var bytes = try twoMembers()
        let unsafe = Array(name.utf8)
        bytes.replaceSubrange(30..<35, with: unsafe)
        bytes.replaceSubrange(entry(0) + 46..<entry(0) + 51, with: unsafe)
        let error = error(bytes)
        #expect(error?.code == .invalidBundle)
        #expect(error?.message.contains("forbidden name") == true, "\(error?.message ?? "")")
    }

    @Test func refusesTwoMembersOfOneName() throws {
        var bytes = try twoMembers()
        bytes[40 + 30] = UInt8(ascii: "a")
        bytes[entry(1) + 46] = UInt8(ascii: "a")
        #expect(error(bytes)?.message.contains("two files with the name 'a.txt'") == true)
    }

    @Test func refusesMembersThatShareBytes() throws {
        var bytes = try twoMembers()
        // Both entries point at the first member, which is given a second name of the same bytes.
        bytes.replaceSubrange(entry(1) + 42..<entry(1) + 46, with: [0, 0, 0, 0])
        bytes[entry(1) + 46] = UInt8(ascii: "a")
        bytes[entry(1) + 47] = UInt8(ascii: ".")
        #expect(error(bytes)?.code == .invalidBundle)
        // The first member's data reaches into the second.
        bytes = try twoMembers()
        for offset in [18, 22, entry(0) + 20, entry(0) + 24] { bytes[offset] = 6 }
        #expect(error(bytes)?.message.contains("'a.txt' and 'b.txt' share bytes") == true)
    }

    @Test func refusesEncryptionLinksAndUnknownCompression() throws {
        var bytes = try twoMembers()
        bytes[entry(0) + 8] = 1
        #expect(error(bytes)?.code == .unsupported)
        bytes = try twoMembers()
        bytes[entry(0) + 41] = 0xA1
        #expect(error(bytes)?.message.contains("is a link") == true)
        bytes = try twoMembers()
        bytes[entry(0) + 10] = 12
        #expect(error(bytes)?.code == .unsupported)
    }

    @Test func refusesContradictions() throws {
        let changes: [(Int, UInt8, String)] = [
            (entry(0) + 16, 0, "checksum does not match"), (entry(0) + 24, 9, "sizes of 'a.txt'"),
            (entry(0) + 42, 1, "not where its directory says"), (30, 0x7A, "contradicts its directory"),
            (entry(0) + 28, 200, "reaches beyond its directory"), (entry(0), 0, "is missing"),
        ]
        for (offset, value, text) in changes {
            var bytes = try twoMembers()
            bytes[offset] = value
            let error = error(bytes)
            #expect(error?.code == .invalidBundle)
            #expect(error?.message.contains(text) == true, "\(error?.message ?? "")")
        }
    }

    @Test func refusesZIP64AndSplitArchives() throws {
        let end = try twoMembers().count - 22
        for offset in [end + 4, end + 8] {
            var bytes = try twoMembers()
            bytes[offset] = 7
            #expect(error(bytes)?.code == .unsupported)
        }
        var bytes = try twoMembers()
        bytes.replaceSubrange(end + 16..<end + 20, with: [255, 255, 255, 255])
        #expect(error(bytes)?.message.contains("ZIP64") == true)
    }

    @Test func aMemberCannotPromiseMoreThanDeflateCanGive() throws {
        var bytes = try fixture("streamed.zip")
        let directory = try #require(
            bytes.indices.dropLast(4).first { Array(bytes[$0..<$0 + 4]) == [0x50, 0x4B, 1, 2] })
        bytes.replaceSubrange(directory + 24..<directory + 28, with: UInt32(900_000_000).littleEndianBytes)
        #expect(error(bytes)?.message.contains("sizes of 'streamed.txt'") == true)
    }

    @Test func limitsAreInclusive() throws {
        var limits = ZipLimits()
        limits.members = 2
        limits.bytesPerMember = 5
        limits.totalBytes = 10
        #expect(try open(twoMembers(), limits).members.count == 2)
        for path in [\ZipLimits.members, \.bytesPerMember, \.totalBytes] as [WritableKeyPath<ZipLimits, Int>] {
            var tighter = limits
            tighter[keyPath: path] -= 1
            #expect(error(try twoMembers(), tighter)?.code == .tooLarge)
        }
    }
}
