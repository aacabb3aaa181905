import Foundation
import HearthFiles
import HearthTestSupport
import Synchronization
import Testing

@testable import HearthDelivery

@Suite("Files in use")
struct StoreLeaseTests {
    private let folder: TemporaryFolder
    private let store: DeviceStore

    init() throws {
        folder = try TemporaryFolder()
        store = try DeviceStore(folder.path)
    }

    /// Simulates another process that uses the path.
    private func leaseElsewhere(_ model: CustomModel) throws -> FileLease {
        try #require(try FileLease.take(model.path))
    }

    @Test("A path that another process uses stays through updates and deletion, until that process ends")
    func elsewhere() throws {
        let old = try store.install(Sample.v1)
        let lease = try leaseElsewhere(old)
        for bytes in [Sample.v2, Sample.v3, [4]] { try store.install(bytes) }
        #expect(old.contents == Sample.v1)
        let last = try leaseElsewhere(try #require(try store.list().first))
        #expect(try store.delete("digits"))
        #expect(old.contents == Sample.v1)
        #expect(last.isInPlace)
        withExtendedLifetime(lease) {}
        withExtendedLifetime(last) {}
    }

    @Test("Files are collected when their process ends")
    func released() throws {
        let model = try store.install(Sample.v1)
        do {
            let lease = try leaseElsewhere(model)
            #expect(try store.delete("digits"))
            #expect(model.contents == Sample.v1)
            withExtendedLifetime(lease) {}
        }
        // A program that another test is starting has this process's descriptors, leases included, until it begins.
        let end = ContinuousClock.now + .seconds(30)
        while try store.collect() == 0, ContinuousClock.now < end {}
        #expect(model.contents == nil)
    }

    @Test("Other processes see that this process uses a file")
    func betweenProcesses() throws {
        let model = try store.install(Sample.v1)
        #expect(try exclusiveLockSucceeds(model.path) == false)
        LeasedFiles.shared.release(.init(folder: folder.path, name: "digits"))
        #expect(try exclusiveLockSucceeds(model.path))
        #expect(try store.contents() == Sample.v1)
        #expect(try exclusiveLockSucceeds(model.path) == false)
    }

    private func exclusiveLockSucceeds(_ path: String) throws -> Bool {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/flock")
        process.arguments = ["--exclusive", "--nonblock", path, "true"]
        try process.run()
        process.waitUntilExit()
        return process.terminationStatus == 0
    }

    @Test("This process keeps only the last two files of each model")
    func bounded() throws {
        let owner = LeasedFiles.Model(folder: folder.path, name: "digits")
        var models: [CustomModel] = []
        for number in 0..<20 {
            models.append(try store.install([UInt8(number)]))
            #expect(try store.contents() == [UInt8(number)])
            #expect(LeasedFiles.shared.count(of: owner) == min(2, number + 1))
        }
        #expect(models.filter { $0.contents != nil } == models.suffix(2))
    }

    @Test("A listing leases no file, for any number of models")
    func listing() throws {
        let model = try store.install(Sample.v1)
        LeasedFiles.shared.release(.init(folder: folder.path, name: "digits"))
        #expect(try store.list() == [model])
        #expect(LeasedFiles.shared.count(of: .init(folder: folder.path, name: "digits")) == 0)
        #expect(try exclusiveLockSucceeds(model.path))
    }

    @Test("The same bytes, installed by another process at the last moment, are not replaced")
    func sameBytesAtOnce() throws {
        let files = FailingFiles()
        let late = try DeviceStore(folder: folder.path, files: files)
        let file = try late.begin(Sample.v1)
        try file.add(Sample.v1)
        try file.verify()
        let other = store
        let handedOut = Mutex<CustomModel?>(nil)
        let stamp = Mutex<FileStamp?>(nil)
        // The last operation of an install before it takes the store's lock.
        files.fail { step in
            guard case .makeFolder = step, handedOut.withLock({ $0 == nil }) else { return nil }
            let model = try? other.install(Sample.v1, as: "birds")
            handedOut.withLock { $0 = model }
            stamp.withLock { $0 = model.flatMap { FileStamp(path: $0.path) } }
            return nil
        }
        let model = try late.install(file, name: "digits", version: nil)
        let others = try #require(handedOut.withLock { $0 })
        #expect(model.path == others.path)
        #expect(FileStamp(path: model.path) == stamp.withLock { $0 })
        #expect(model.contents == Sample.v1)
    }

    @Test("A garbage collection deletes files that no pointer refers to and no process uses, and returns how many")
    func collect() throws {
        let model = try store.install(Sample.v1)
        let garbage = try folder.write(Sample.v2, to: "files/" + Sample.hash(Sample.v2))
        do {
            let lease = try FileLease.take(garbage)
            #expect(try store.collect() == 0)
            withExtendedLifetime(lease) {}
        }
        #expect(try store.collect() == 1)
        #expect(FileStamp(path: garbage) == nil)
        #expect(model.contents == Sample.v1)
    }

    @Test("Links among the files are deleted, not followed")
    func links() throws {
        let target = try folder.write([1, 2, 3], to: "precious")
        let link = folder.path + "/files/" + Sample.hash(Sample.v2)
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: target)
        #expect(try store.collect() == 1)
        #expect(FileManager.default.contents(atPath: target) == Data([1, 2, 3]))
    }

    @Test("A link in the place of an installed file counts as damage, and installing replaces the link")
    func linkedModel() throws {
        let model = try store.install(Sample.v1)
        let copy = try folder.write(Sample.v1, to: "copy")
        try FileManager.default.removeItem(atPath: model.path)
        try FileManager.default.createSymbolicLink(atPath: model.path, withDestinationPath: copy)
        #expect(try store.find("digits") == .damaged(previous: nil))
        #expect(try store.install(Sample.v1).contents == Sample.v1)
        #expect(FileStamp(path: model.path) != nil)
        #expect(FileManager.default.contents(atPath: copy).map(Array.init) == Sample.v1)
    }

    @Test("A folder in the place of a model's file is renamed, with its contents")
    func folderInPlace() throws {
        let model = try store.install(Sample.v1)
        try FileManager.default.removeItem(atPath: model.path)
        _ = try folder.write([1, 2, 3], to: "files/\(model.hash)/precious")
        #expect(try store.find("digits") == .damaged(previous: nil))
        #expect(try store.install(Sample.v1) == model)
        #expect(try store.contents() == Sample.v1)
        let names = try DiskFiles().list(folder.path + "/files")
        let moved = try #require(names.first { $0 != model.hash })
        #expect(names.count == 2)
        _ = try store.collect()
        #expect(
            FileManager.default.contents(atPath: folder.path + "/files/\(moved)/precious") == Data([1, 2, 3]))
    }

    @Test(
        "A file without read permission counts as damage, and is replaced",
        .enabled(if: geteuid() != 0, "the superuser may read everything"))
    func unreadable() throws {
        let model = try store.install(Sample.v1)
        #expect(chmod(model.path, 0) == 0)
        #expect(try store.find("digits") == .damaged(previous: nil))
        #expect(try store.install(Sample.v1).contents == Sample.v1)
    }

    @Test("A program that has a file open keeps its bytes when the store is removed; the store still works")
    func removed() throws {
        let model = try store.install(Sample.v1)
        let reader = try FileHandle(forReadingFrom: URL(fileURLWithPath: model.path))
        let file = try store.begin(Sample.v2, as: "birds")
        try file.add(Sample.v2, upTo: 1000)
        try FileManager.default.removeItem(atPath: folder.path)
        #expect(try store.find("digits") == .missing)
        #expect(try store.list() == [])
        #expect(!store.isInstalled("digits"))
        #expect(try !store.delete("digits"))
        #expect(try store.collect() == 0)
        try file.add(Sample.v2)
        #expect(fileErrorCode { _ = try store.install(file, name: "birds", version: nil) } == .notFound)
        #expect(try store.reject(Sample.v1) == nil)
        _ = try store.lock("digits")
        #expect(try reader.readToEnd().map(Array.init) == Sample.v1)
        #expect(try store.install(Sample.v2, as: "birds").contents == Sample.v2)
        #expect(try DeviceStore(folder.path).contents("birds") == Sample.v2)
    }

    @Test("A partial file that another program makes after the store was removed is not used")
    func replaced() throws {
        let file = try store.begin(Sample.v3)
        try file.add(Sample.v3)
        try file.verify()
        try FileManager.default.removeItem(atPath: folder.path)
        _ = try folder.write([6, 6, 6], to: "files/" + FilePath.name(of: file.path))
        #expect(fileErrorCode { _ = try store.install(file, name: "digits", version: nil) } == .notFound)
        #expect(try store.find("digits") == .missing)
    }

    @Test("A process may stop waiting for a model's lock, and gets it when it is free")
    func lock() throws {
        var held: FileLock? = try store.lock("digits")
        _ = try store.lock("birds")
        var calls = 0
        let none = try store.lock("digits") {
            calls += 1
            return calls < 3
        }
        #expect(none == nil && calls == 3)
        let lock = try store.lock("digits") {
            held = nil
            return true
        }
        #expect(lock != nil && held == nil)
        withExtendedLifetime(lock) {}
    }
}
