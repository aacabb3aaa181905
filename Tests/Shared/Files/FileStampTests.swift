import Foundation
import Glibc
import HearthFiles
import HearthTestSupport
import Testing

@Suite("Stamps of files")
struct FileStampTests {
    private let folder: TemporaryFolder
    private let path: String

    init() throws {
        folder = try TemporaryFolder()
        path = try folder.write([1, 2, 3], to: "file")
    }

    @Test("a change after the stamp has settled shows in it, even if size and time are put back")
    func change() throws {
        let before = try #require(FileStamp(path: path))
        while !before.isSettled() { sched_yield() }
        #expect(FileStamp(path: path) == before)
        let times = [timespec(nanoseconds: before.modified), timespec(nanoseconds: before.modified)]
        try Data([1, 2, 4]).write(to: URL(fileURLWithPath: path))
        #expect(utimensat(AT_FDCWD, path, times, 0) == 0)
        let after = try #require(FileStamp(path: path))
        #expect(after.modified == before.modified)
        #expect(after.size == before.size)
        #expect(after.device == before.device && after.inode == before.inode)
        #expect(after != before)
    }

    @Test("folders, links and nothing have none")
    func none() throws {
        try FileManager.default.createSymbolicLink(atPath: folder.path + "/link", withDestinationPath: path)
        for other in [folder.path, folder.path + "/link", folder.path + "/none"] {
            #expect(FileStamp(path: other) == nil)
        }
    }
}

extension timespec {
    fileprivate init(nanoseconds: Int64) {
        self.init(tv_sec: Int(nanoseconds / 1_000_000_000), tv_nsec: Int(nanoseconds % 1_000_000_000))
    }
}
