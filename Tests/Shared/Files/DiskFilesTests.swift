import Foundation
import HearthFiles
import HearthTestSupport
import Testing

@Suite("The disk behind the file operations")
struct DiskFilesTests {
    private let folder: TemporaryFolder
    private let files = DiskFiles()

    init() throws { folder = try TemporaryFolder() }

    private func path(_ name: String) -> String { folder.path + "/" + name }

    @Test("a folder is made with its parents, once and again")
    func makeFolder() throws {
        try files.makeFolder(path("a/b/c"), mode: 0o700)
        try files.makeFolder(path("a/b/c"), mode: 0o700)
        try files.makeFolder(path("a/b/d/"), mode: 0o700)
        #expect(try files.list(path("a/b")) == ["c", "d"])
        let mode = try FileManager.default.attributesOfItem(atPath: path("a/b/c"))[.posixPermissions] as? Int
        #expect(mode == 0o700)
    }

    @Test("a folder cannot be made in the place of a file, below one, or nowhere")
    func makeFolderErrors() throws {
        let file = try folder.write([1], to: "file")
        #expect(fileErrorCode { try files.makeFolder(file, mode: 0o700) } == .exists)
        #expect(fileErrorCode { try files.makeFolder(file + "/below", mode: 0o700) } == .exists)
        #expect(fileErrorCode { try files.makeFolder("", mode: 0o700) } == .notFound)
        // There the parent is, and still no folder can be made.
        #expect(fileErrorCode { try files.makeFolder("/proc/hearth/below", mode: 0o700) } == .notFound)
        try FileManager.default.createSymbolicLink(
            atPath: path("dangling"), withDestinationPath: path("nowhere"))
        #expect(fileErrorCode { try files.makeFolder(path("dangling/below"), mode: 0o700) } == .exists)
    }

    @Test("a new file replaces nothing and has the mode that was asked for")
    func createFile() throws {
        let file = try files.createFile(path("new"), mode: 0o600)
        try file.write([1, 2])
        try file.write([])
        try file.write([3])
        try file.synchronize()
        #expect(try files.read(path("new"), limitBytes: 3) == [1, 2, 3])
        #expect(fileErrorCode { _ = try files.createFile(path("new"), mode: 0o600) } == .exists)
        let mode = try FileManager.default.attributesOfItem(atPath: path("new"))[.posixPermissions] as? Int
        #expect(mode == 0o600)
    }

    @Test("appending goes on at the end, starts anew on demand, and has one writer at a time")
    func appendFile() throws {
        let old = try folder.write([1], to: "file")
        do {
            let file = try #require(try files.appendFile(old, mode: 0o600))
            try file.write([2])
            #expect(try files.appendFile(old, mode: 0o600) == nil)
            #expect(try files.read(old, limitBytes: 9) == [1, 2])
            try file.truncate()
            try file.write([3])
            #expect(file.isInPlace)
        }
        let file = try #require(try files.appendFile(old, mode: 0o600))
        try file.write([4])
        #expect(try files.read(old, limitBytes: 9) == [3, 4])
        try files.rename(old, to: path("renamed"))
        #expect(!file.isInPlace)
        #expect(try files.appendFile(old, mode: 0o640) != nil, "another file, made anew")
        #expect(try files.read(old, limitBytes: 9) == [])
    }

    @Test("nothing but a regular file is appended to")
    func appendFileErrors() throws {
        let target = try folder.write([1], to: "target")
        try FileManager.default.createSymbolicLink(atPath: path("link"), withDestinationPath: target)
        #expect(mkfifo(path("pipe"), 0o600) == 0)
        #expect(fileErrorCode { _ = try files.appendFile(path("link"), mode: 0o600) } == .io)
        #expect(fileErrorCode { _ = try files.appendFile(path("pipe"), mode: 0o600) } == .exists)
        #expect(fileErrorCode { _ = try files.appendFile(folder.path, mode: 0o600) } == .io)
        #expect(fileErrorCode { _ = try files.appendFile(path("none/file"), mode: 0o600) } == .notFound)
        #expect(try files.read(target, limitBytes: 9) == [1])
    }

    @Test("the disk's free bytes, as the system tells them")
    func freeBytes() throws {
        let attributes = try FileManager.default.attributesOfFileSystem(forPath: folder.path)
        let told = try #require((attributes[.systemFreeSize] as? NSNumber)?.uint64Value)
        let free = try files.freeBytes(folder.path)
        // Others write to the disk as well.
        #expect(free > 0 && free < told + 1 << 34 && told < free + 1 << 34)
        #expect(fileErrorCode { _ = try files.freeBytes(path("none")) } == .notFound)
    }

    @Test("reading stops at the limit, not behind it")
    func readLimit() throws {
        let file = try folder.write([UInt8](repeating: 7, count: 70_000), to: "file")
        #expect(try files.read(file, limitBytes: 70_000).count == 70_000)
        #expect(fileErrorCode { _ = try files.read(file, limitBytes: 69_999) } == .tooLarge)
        #expect(try files.read(folder.write([], to: "empty"), limitBytes: 0) == [])
    }

    @Test("what is not there is not found; what is no regular file has no size")
    func missing() throws {
        #expect(try files.size(path("none")) == nil)
        #expect(try files.size(folder.path) == nil)
        #expect(try files.size(folder.write([1, 2], to: "two")) == 2)
        #expect(try files.size(path("two/below")) == nil)
        #expect(fileErrorCode { _ = try files.read(path("none"), limitBytes: 1) } == .notFound)
        #expect(fileErrorCode { _ = try files.list(path("none")) } == .notFound)
        #expect(fileErrorCode { try files.remove(path("none")) } == .notFound)
        #expect(fileErrorCode { try files.rename(path("none"), to: path("other")) } == .notFound)
        #expect(fileErrorCode { try files.synchronizeFolder(path("none")) } == .notFound)
        #expect(fileErrorCode { _ = try files.createFile(path("none/new"), mode: 0o600) } == .notFound)
    }

    @Test("a rename replaces the target in one step")
    func rename() throws {
        let old = try folder.write([1], to: "old")
        let new = try folder.write([2], to: "new")
        try files.rename(new, to: old)
        #expect(try files.list(folder.path) == ["old"])
        #expect(try files.read(old, limitBytes: 1) == [2])
    }

    #if compiler(>=6.3)  // Swift Testing lends values to another process from Swift 6.3 on.
        @Test("the kernel's own refusal to write more is a full disk to us", .limitedTime)
        func fileSizeLimit() async throws {
            let file = path("limited")
            await #expect(processExitsWith: .success) { [file = file as String] in
                signal(SIGXFSZ, SIG_IGN)
                var limit = rlimit(rlim_cur: 4096, rlim_max: 4096)
                setrlimit(__rlimit_resource_t(UInt32(RLIMIT_FSIZE.rawValue)), &limit)
                let code = fileErrorCode {
                    try AtomicFile.write([UInt8](repeating: 1, count: 10_000), to: file)
                }
                exit(
                    code == .noSpace && FileManager.default.contents(atPath: file) == nil ? EXIT_SUCCESS : EXIT_FAILURE)
            }
            #expect(try files.list(folder.path) == [], "the temporary file is gone")
        }
    #endif

    @Test(
        "paths are joined and taken apart",
        arguments: [
            ("/a", "b", "/a/b"), ("/a/", "b", "/a/b"), ("/", "b", "/b"), ("a", "b", "a/b"),
        ])
    func paths(folder: String, name: String, whole: String) {
        #expect(FilePath.join(folder, name) == whole)
        #expect(FilePath.name(of: whole) == name)
        #expect(FilePath.join(FilePath.folder(of: whole), name) == whole)
    }
}
