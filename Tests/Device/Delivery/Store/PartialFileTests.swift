import Foundation
import HearthCrypto
import HearthFiles
import HearthTestSupport
import HearthWire
import Synchronization
import Testing

@testable import HearthDelivery

@Suite("Unfinished downloads in the store")
struct StorePartialTests {
    private let folder: TemporaryFolder
    private let store: DeviceStore
    private let bytes = Array(Sample.v2.prefix(5000))

    init() throws {
        folder = try TemporaryFolder()
        store = try DeviceStore(folder.path)
    }

    private var names: [String] {
        get throws { try DiskFiles().list(folder.path + "/files").filter { SHA256Digest(hex: $0) == nil } }
    }

    private func path(_ bytes: [UInt8]) -> String { folder.path + "/files/partial-" + Sample.hash(bytes) }

    private func breakOff(_ bytes: [UInt8], as name: String = "digits", at end: Int = 2500) throws {
        let file = try store.begin(bytes, as: name)
        try file.restart(validator: "\"etag\"")
        try file.add(bytes, upTo: end)
    }

    @Test("The bytes of an earlier attempt are resumed, by any process")
    func resume() throws {
        try breakOff(bytes)
        #expect(try store.find("digits") == .missing)
        let file = try DeviceStore(folder.path).begin(bytes)
        #expect(file.size == 2500)
        #expect(file.resumedSize == 2500)
        #expect(file.validator == "\"etag\"")
        try file.add(bytes)
        #expect(try store.install(file, name: "digits", version: 3).contents == bytes)
        #expect(try names == [], "neither bytes nor record stay")
    }

    @Test("A complete download that was not installed needs no further byte")
    func complete() throws {
        try breakOff(bytes, at: bytes.count)
        let file = try store.begin(bytes)
        #expect(file.size == UInt64(bytes.count))
        #expect(try store.install(file, name: "digits", version: nil).contents == bytes)
    }

    #if compiler(>=6.3)  // Swift Testing lends values to another process from Swift 6.3 on.
        @Test("A process that is killed in the middle leaves what it had", .limitedTime)
        func killed() async throws {
            let path = folder.path
            await #expect(processExitsWith: .signal(SIGKILL)) { [path = path as String] in
                let bytes = Array(Sample.v2.prefix(5000))
                let file = try DeviceStore(path).begin(bytes)
                try file.restart(validator: "v")
                try file.add(bytes, upTo: 3000)
                kill(getpid(), SIGKILL)
            }
            let file = try store.begin(bytes)
            #expect(file.size == 3000)
            #expect(file.validator == "v")
            try file.add(bytes)
            #expect(try store.install(file, name: "digits", version: nil).contents == bytes)
        }
    #endif

    @Test("A download without bytes leaves no file")
    func empty() throws {
        _ = try store.begin(bytes)
        #expect(try names == [])
    }

    @Test("Wrong bytes end in a mismatch, are deleted, and the next attempt starts from zero")
    func wrongBytes() throws {
        try store.install(Sample.v1)
        try breakOff(bytes)
        try Data(repeating: 0, count: 2500).write(to: URL(fileURLWithPath: path(bytes)))
        let file = try store.begin(bytes)
        #expect(file.size == 2500)
        try file.add(bytes)
        #expect(fileErrorCode { _ = try store.install(file, name: "digits", version: nil) } == .mismatch)
        #expect(try names == [])
        #expect(try store.contents() == Sample.v1)
        let again = try store.begin(bytes)
        #expect(again.size == 0)
        #expect(again.validator == nil)
    }

    @Test("A file that is too short or too long is not installed")
    func wrongLength() throws {
        let file = try store.begin(bytes)
        try file.add(bytes)
        #expect(fileErrorCode { try [1].withUnsafeBytes { try file.write($0) } } == .tooLarge)
        #expect(file.size == 5000, "the refused byte left no trace")
        let short = try store.begin(Sample.v3, as: "birds")
        try short.add(Sample.v3, upTo: 2)
        let error = fileError { _ = try store.install(short, name: "birds", version: nil) }
        #expect(error?.message == "The file has 2 bytes, but 5 were announced")
        #expect(try store.install(file, name: "digits", version: nil).contents == bytes)
    }

    @Test("Starting from zero deletes the bytes and their ETag")
    func restart() throws {
        try breakOff(bytes)
        do {
            let file = try store.begin(bytes)
            try file.restart(validator: "new")
            #expect(file.size == 0)
            try file.add(bytes, upTo: 100)
        }
        let file = try store.begin(bytes)
        #expect(file.size == 100)
        #expect(file.validator == "new")
        try file.add(bytes)
        #expect(try store.install(file, name: "digits", version: nil).contents == bytes)
    }

    @Test("A failed write keeps the earlier bytes for the next attempt")
    func failedWrite() throws {
        let files = FailingFiles()
        let store = try DeviceStore(folder: folder.path, files: files)
        do {
            let file = try store.begin(bytes)
            try file.add(bytes, upTo: 2000)
            files.limitSpace(0)
            #expect(fileErrorCode { try file.add(bytes) } == .noSpace)
            files.fail { _ in nil }
            #expect(fileErrorCode { try file.add(bytes) } == .io, "the bytes in the file are unknown")
        }
        #expect(try store.begin(bytes).size == 2000)
    }

    @Test("Bytes that the disk did not store are not trusted by the next attempt, even if they can still be read")
    func failedSynchronization() throws {
        let files = FailingFiles()
        let store = try DeviceStore(folder: folder.path, files: files)
        let file = try store.begin(bytes)
        try file.add(bytes)
        files.fail { step in
            guard case .synchronize(let path) = step else { return nil }
            return FileError(.io, "Cannot synchronise \(path): Input/output error")
        }
        #expect(fileErrorCode { _ = try store.install(file, name: "digits", version: nil) } == .io)
        files.fail { _ in nil }
        #expect(try names == [])
        #expect(try store.begin(bytes).size == 0)
        #expect(try store.install(bytes).contents == bytes)
    }

    @Test(
        "The download that replaces a damaged file of the same hash is kept, for a file of any length",
        arguments: [10, 5000])
    func replacingDamage(length: Int) throws {
        let model = try store.install(bytes)
        try Data(repeating: 9, count: length).write(to: URL(fileURLWithPath: model.path))
        try breakOff(bytes)
        #expect(try store.collect() == 0)
        try store.install(Sample.v1, as: "birds")
        let file = try store.begin(bytes)
        #expect(file.size == 2500)
        try file.add(bytes)
        #expect(try store.install(file, name: "digits", version: nil).contents == bytes)
        #expect(try names == [])
    }

    @Test("One writer at a time: another one gets its own file, and both can install")
    func twoWriters() throws {
        let first = try store.begin(bytes)
        try first.add(bytes, upTo: 1000)
        let second = try DeviceStore(folder.path).begin(bytes, as: "birds")
        #expect(second.size == 0)
        try second.add(bytes)
        try first.add(bytes)
        let path = try store.install(second, name: "birds", version: nil).path
        let inode = FileStamp(path: path)?.inode
        #expect(try store.install(first, name: "digits", version: nil).path == path)
        #expect(FileStamp(path: path)?.inode == inode, "no file is replaced under its reader")
        #expect(try names == [])
    }

    @Test("A private file that is not installed is deleted")
    func privateFile() throws {
        let first = try store.begin(bytes)
        do {
            let second = try store.begin(bytes, as: "birds")
            try second.add(bytes, upTo: 1000)
            #expect(try names.count == 3)
        }
        #expect(try names.count == 2)
        withExtendedLifetime(first) {}
    }

    @Test("A newer version's download deletes the older one's, when it begins and when it is installed")
    func newer() throws {
        try breakOff(bytes)
        try breakOff(Array(bytes.reversed()))
        #expect(try names.count == 2)
        #expect(try store.begin(bytes).size == 0)
        try breakOff(bytes)
        try store.install(Sample.v3)
        #expect(try names == [])
    }

    @Test("A deleted model's download is deleted, another model's stays")
    func deleted() throws {
        try store.install(Sample.v1)
        try breakOff(bytes)
        try breakOff(Sample.v3, as: "birds", at: 2)
        #expect(try store.delete("digits"))
        #expect(try names.count == 2)
        #expect(try store.begin(Sample.v3, as: "birds").size == 2)
    }

    @Test(
        "A download is deleted after seven days, or if its time is in the future or absurd",
        arguments: [
            (0, true), (7 * 86_400, true), (7 * 86_400 + 1, false), (365 * 86_400, false), (-86_400, true),
            (-365 * 86_400, false), (Int64.max, false), (Int64.min, false),
        ] as [(Int64, Bool)])
    func age(seconds: Int64, stays: Bool) throws {
        let start = Timestamp(seconds: 1_790_000_000)
        let time = SettableTime(start)
        let store = try DeviceStore(folder: folder.path, files: DiskFiles(), now: { time.now })
        try store.install(Sample.v1)
        do {
            let file = try store.begin(bytes)
            try file.add(bytes, upTo: 2500)
        }
        let isExtreme = seconds.magnitude > 1 << 40
        time.now = Timestamp(microseconds: isExtreme ? seconds : start.microseconds + seconds * 1_000_000)
        #expect(try store.collect() == (stays ? 0 : 1))
        #expect(try names.count == (stays ? 2 : 0))
        #expect(try store.contents() == Sample.v1, "a wrong clock does not cost the model")
    }

    @Test("A download that is being written stays at any age")
    func written() throws {
        let time = SettableTime(Timestamp(seconds: 0))
        let store = try DeviceStore(folder: folder.path, files: DiskFiles(), now: { time.now })
        let file = try store.begin(bytes)
        try file.add(bytes, upTo: 10)
        time.now = Timestamp(seconds: 1_790_000_000)
        #expect(try store.collect() == 0)
        try file.add(bytes)
        #expect(try store.install(file, name: "digits", version: nil).contents == bytes)
    }

    @Test(
        "An unreadable record, or one of another file, is not used",
        arguments: [
            "", "{", "null", "[]", #"{"name":"digits"}"#, #"{"name":"digits","size":-1,"begunMicroseconds":0}"#,
            #"{"name":"digits","size":18446744073709551615,"begunMicroseconds":1790000000000000}"#,
            #"{"name":"digits","size":1,"begunMicroseconds":1790000000000000}"#,
            #"{"name":"digits","size":5000,"begunMicroseconds":1e300}"#,
            #"{"name":5,"size":"x","begunMicroseconds":null}"#, String(repeating: " ", count: 100_000),
            String(repeating: "[", count: 10_000),
        ])
    func hostileRecord(record: String) throws {
        try breakOff(bytes)
        try Data(record.utf8).write(to: URL(fileURLWithPath: path(bytes) + ".json"))
        let file = try store.begin(bytes)
        #expect(file.size == 0)
        #expect(file.validator == nil)
        try file.add(bytes)
        #expect(try store.install(file, name: "digits", version: nil).contents == bytes)
    }

    @Test("The garbage collection does not keep such a download", arguments: ["", #"{"name":5}"#])
    func unreadableRecord(record: String) throws {
        try breakOff(bytes)
        try Data(record.utf8).write(to: URL(fileURLWithPath: path(bytes) + ".json"))
        #expect(try store.collect() == 1)
        #expect(try names == [])
    }

    @Test("A validator that would break out of its header is not sent", arguments: ["a\r\nX: y", "", "é", "\u{0}"])
    func hostileValidator(validator: String) throws {
        let file = try store.begin(bytes)
        try file.restart(validator: validator)
        try file.add(bytes, upTo: 10)
        #expect(file.validator == nil)
    }

    @Test("More bytes than announced cannot be resumed")
    func tooLong() throws {
        try breakOff(bytes)
        try Data(repeating: 1, count: 5001).write(to: URL(fileURLWithPath: path(bytes)))
        #expect(try store.begin(bytes).size == 0)
    }

    @Test(
        "A link, a folder or a pipe in its place: the download uses another file, and a link's target stays untouched"
    )
    func strangeFiles() throws {
        let target = try folder.write([1, 2, 3], to: "precious")
        try FileManager.default.createSymbolicLink(atPath: path(bytes), withDestinationPath: target)
        try FileManager.default.createDirectory(atPath: path(Sample.v3), withIntermediateDirectories: true)
        #expect(mkfifo(path(Sample.v1), 0o600) == 0)
        for (name, bytes) in [("a", bytes), ("b", Sample.v3), ("c", Sample.v1)] {
            #expect(try store.install(bytes, as: name).contents == bytes)
        }
        #expect(FileManager.default.contents(atPath: target) == Data([1, 2, 3]))
        _ = try store.collect()
        #expect(try names == ["partial-" + Sample.hash(Sample.v3)], "the store must not delete a folder")
    }

    @Test("Records without bytes and half-written records are deleted")
    func orphans() throws {
        _ = try folder.write([1], to: "files/partial-\(Sample.hash(bytes)).json")
        _ = try folder.write([1], to: "files/partial-\(Sample.hash(bytes)).json.new-x")
        _ = try folder.write([1], to: "files/incoming-3w5e11264sgs")
        _ = try store.collect()
        #expect(try names == [])
    }

    @Test("Verified before the installation, for the load check; deleted on demand")
    func verify() throws {
        let file = try store.begin(bytes)
        try file.add(bytes)
        try file.verify()
        #expect(FileManager.default.contents(atPath: file.path).map(Array.init) == bytes)
        #expect(fileErrorCode { try [1].withUnsafeBytes { try file.write($0) } } == .io)
        file.discard()
        #expect(try names == [])
        #expect(fileErrorCode { _ = try store.install(file, name: "digits", version: nil) } == .io)
    }
}

private final class SettableTime: Sendable {
    private let time: Mutex<Timestamp>

    init(_ time: Timestamp) { self.time = Mutex(time) }

    var now: Timestamp {
        get { time.withLock { $0 } }
        set { time.withLock { $0 = newValue } }
    }
}
