import Foundation
import HearthApp
import HearthDeliveryTesting
import HearthFiles
import HearthTestSupport
import Synchronization
import Testing

@testable import HearthDelivery

@Suite("The device's own disk")
struct DeviceDiskTests {
    @Test("A disk that is full during the transfer: notEnoughSpace, and the old version still works")
    func full() async throws {
        let files = FailingFiles()
        let device = try TestDevice(files: files)
        device.host.publish(Sample.v1, as: "digits")
        let old = try await device.get()
        let before = try device.storedFiles()
        device.host.publish(Sample.v2, as: "digits")
        files.limitSpace(100_000)
        #expect(await device.error() == .notEnoughSpace)
        #expect(try await device.get("digits", .localModel) == old)
        #expect(old.contents == Sample.v1)
        #expect(try device.storedFiles() == before)
        files.fail { _ in nil }
        #expect(try await device.get().contents == Sample.v2)
    }

    @Test("A test's broken disk does not store what was written before it broke either")
    func brokenDisk() throws {
        let device = try TestDevice()
        let folder = try TemporaryFolder()
        let files = device.app.environment.files
        let file = try files.createFile(folder.path + "/file", mode: 0o600)
        try file.write([1, 2, 3])
        device.disk.fail(with: .broken)
        #expect(fileErrorCode { try file.synchronize() } == .io)
        #expect(fileErrorCode { try files.synchronizeFolder(folder.path) } == .io)
        device.disk.endFaults()
        try file.synchronize()
        try files.synchronizeFolder(folder.path)
    }

    @Test("A disk that is full when the pointer moves: notEnoughSpace, and the old version still works")
    func fullAtPointer() async throws {
        let files = FailingFiles()
        let device = try TestDevice(files: files)
        device.host.publish(Sample.v1, as: "digits")
        let old = try await device.get()
        device.host.publish(Sample.v2, as: "digits")
        files.limitSpace(Sample.v2.count)
        #expect(await device.error() == .notEnoughSpace)
        #expect(try await device.get("digits", .localModel) == old)
        files.fail { _ in nil }
        #expect(try await device.get().contents == Sample.v2)
    }

    @Test("After any single failed operation there is an error or the new model, and a whole model")
    func everyStep() async throws {
        for step in 0..<40 {
            let files = FailingFiles()
            let device = try TestDevice(files: files)
            device.host.publish(Sample.v1, as: "digits")
            _ = try await device.get()
            device.host.publish(Sample.v3, as: "digits")
            let counter = Counter()
            files.fail { _ in counter.next() == step ? FileError(.io, "the disk broke") : nil }
            let error = await device.error()
            if let error, case .internalError = error {} else { #expect(error == nil) }
            files.fail { _ in nil }
            let found = try await device.get("digits", .localModel)
            #expect(found.contents == (error == nil ? Sample.v3 : Sample.v1) || found.contents == Sample.v3)
            #expect(try await device.get().contents == Sample.v3)
        }
    }

    @Test("A failed garbage collection does not fail a complete update")
    func tidying() async throws {
        let files = FailingFiles()
        let device = try TestDevice(files: files)
        for bytes in [Sample.v1, Sample.v2, Sample.v3] {
            device.host.publish(bytes, as: "digits")
            files.fail { if case .remove = $0 { FileError(.notPermitted, "no") } else { nil } }
            #expect(try await device.get().contents == bytes)
        }
        files.fail { _ in nil }
        device.host.publish([1], as: "digits")
        _ = try await device.get()
        #expect(try device.storedFiles().count == 3, "one pointer, the new file and the one before")
    }

    @Test("A folder that cannot be created: the text says so")
    func noFolder() async throws {
        let files = FailingFiles { if case .makeFolder = $0 { FileError(.notPermitted, "no") } else { nil } }
        let device = try TestDevice(files: files)
        #expect(
            await device.error() == .internalError(description: "Could not create directory for model storage."))
        #expect(
            device.downloader.state(ofModel: "digits").failure?.message
                == "Could not create directory for model storage. no")
    }

    @Test(
        "A damaged file is noticed and downloaded again; without a connection it counts as missing",
        arguments: [
            ModelDownloadType.localModel, .latestModel, .localModelUpdateInBackground,
        ])
    func damagedFile(type: ModelDownloadType) async throws {
        let device = try TestDevice()
        device.host.publish(Sample.v1, as: "digits")
        let model = try await device.get()
        for damage in [Sample.v1.dropLast() + [0], Sample.v1.dropLast(), Sample.v1 + [0], []] {
            try Data(damage).write(to: URL(fileURLWithPath: model.path))
            #expect(try device.downloader.installedModel(name: "digits") == nil)
            #expect(try await device.get("digits", type).contents == Sample.v1)
        }
        try FileManager.default.removeItem(atPath: model.path)
        device.host.goOffline()
        guard case .internalError = await device.error("digits", type) else {
            Issue.record("a model without its file")
            return
        }
    }

    @Test(
        "A damaged pointer counts as missing, and the next call repairs it",
        arguments: [
            "", "{", "null", "[]", #"{"name":"digits"}"#, #"{"name":"digits","hash":"x","size":1}"#,
            #"{"name":"digits","hash":"../../../../etc/passwd","size":1}"#, #"{"name":"other","hash":"","size":-1}"#,
            #"{"name":"digits","hash":"\#(Sample.hash(Sample.v1))","size":18446744073709551615}"#,
            String(repeating: " ", count: 100_000), String(repeating: "[", count: 60_000), "\u{0}\u{0}\u{0}\u{0}",
        ])
    func damagedPointer(contents: String) async throws {
        let device = try TestDevice()
        device.host.publish(Sample.v1, as: "digits")
        _ = try await device.get()
        try Data(contents.utf8).write(to: URL(fileURLWithPath: device.path("models/digits.json")))
        #expect(try device.downloader.installedModel(name: "digits") == nil)
        #expect(try await device.downloader.listDownloadedModels().isEmpty)
        #expect(try await device.get("digits", .localModel).contents == Sample.v1)
        #expect(try await device.downloader.listDownloadedModels().count == 1)
    }

    @Test("Foreign files in the store do no harm")
    func strangers() async throws {
        let device = try TestDevice()
        device.host.publish(Sample.v1, as: "digits")
        _ = try await device.get()
        for name in [
            "models/readme.txt", "models/x.json", "files/readme.txt", "files/" + String(repeating: "a", count: 64),
        ] {
            try Data("x".utf8).write(to: URL(fileURLWithPath: device.path(name)))
        }
        #expect(try await device.downloader.listDownloadedModels().map(\.name) == ["digits"])
        #expect(try await device.get().contents == Sample.v1)
    }

    @Test("A store can be moved, because it contains no paths")
    func moved() async throws {
        let device = try TestDevice()
        device.host.publish(Sample.v1, as: "digits")
        let old = try await device.get()
        let folder = try TemporaryFolder()
        let name = FilePath.name(of: device.app.folder)
        try FileManager.default.moveItem(atPath: device.app.folder, toPath: folder.path + "/" + name)
        let store = try DeviceStore(folder: folder.path + "/" + name, files: DiskFiles())
        guard case .installed(let model) = try store.find("digits") else {
            Issue.record("lost by the move")
            return
        }
        #expect(model.path != old.path)
        #expect(model.contents == Sample.v1)
    }

    @Test("Listing and deleting")
    func listAndDelete() async throws {
        let device = try TestDevice()
        device.host.publish(Sample.v1, as: "digits")
        device.host.publish(Sample.v2, as: "birds")
        #expect(try await device.downloader.listDownloadedModels().isEmpty)
        let digits = try await device.get()
        let birds = try await device.get("birds")
        #expect(try await device.downloader.listDownloadedModels() == [digits, birds])
        try await device.downloader.deleteDownloadedModel(name: "birds")
        #expect(try await device.downloader.listDownloadedModels() == [digits])
        #expect(device.collects(birds))
        for name in ["birds", "never", "../digits", ""] {
            await #expect(throws: DownloadedModelError.self) {
                try await device.downloader.deleteDownloadedModel(name: name)
            }
        }
        #expect(try await device.get("birds", .localModel).contents == Sample.v2)
    }

    @Test("Without a connection, an installed model works, and other calls say why they fail")
    func offline() async throws {
        let device = try TestDevice()
        device.host.publish(Sample.v1, as: "digits")
        let model = try await device.get()
        device.host.goOffline()
        #expect(try await device.get("digits", .localModel) == model)
        #expect(try await device.get("digits", .localModelUpdateInBackground) == model)
        #expect(try device.downloader.installedModel(name: "digits") == model)
        #expect(
            await device.error("digits", .latestModel)
                == .internalError(
                    description:
                        "Failed to retrieve model info: models.example.com, or the proxy to it, does not accept connections; check the address, that it runs, and proxy settings"
                ))
        guard case .internalError = await device.error("birds", .localModel) else {
            Issue.record("a model out of nothing")
            return
        }
    }
}

private final class Counter: Sendable {
    private let count = Mutex(-1)

    /// 0, 1, 2 …
    func next() -> Int {
        count.withLock { count in
            count += 1
            return count
        }
    }
}
