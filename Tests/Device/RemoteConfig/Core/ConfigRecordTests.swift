import Dispatch
import Foundation
import HearthApp
import HearthDeliveryTesting
import HearthFiles
import HearthTestSupport
import HearthTransport
import Testing

@testable import HearthRemoteConfig

@Suite("The state that is stored between processes")
struct ConfigRecordTests {
    @Test("Fetched and activated values, the tag, the time and the status")
    func restart() async throws {
        let device = try TestDevice()
        device.server.serve(["a": "1"], version: 1)
        var config = device.config()
        try await config.fetchAndActivate()
        device.server.serve(["a": "2"], version: 2)
        try await config.fetch(withExpirationDuration: 0)
        let time = config.lastFetchTime
        config = await device.restarted(config)
        #expect(config["a"].stringValue == "1" && config.lastFetchStatus == .success && config.lastFetchTime == time)
        #expect(try await config.fetch() == .success)
        #expect(device.server.fetches.count == 2, "the values from before are fresh")
        #expect(try await config.activate())
        #expect(config["a"].stringValue == "2")
        config = await device.restarted(config)
        #expect(config["a"].stringValue == "2")
        try await config.fetch(withExpirationDuration: 0)
        #expect(device.server.fetches.last?.header("if-none-match") == "etag-1-firebase-fetch-2")
    }

    @Test("Changes of a deleted app do not overwrite its successor's record")
    func deleted() async throws {
        let device = try TestDevice()
        let old = device.config()
        let new = await device.restarted(old)
        try await new.setCustomSignals(["plan": "gold"])
        try? await old.setCustomSignals(["plan": "old"])
        let third = await device.restarted(new)
        #expect(third.core.withState { $0.record.signals["plan"] } == StoredSignal("gold"))
    }

    @Test("A file that is damaged anywhere counts as missing")
    func damage() async throws {
        let device = try TestDevice()
        device.server.serve(["a": "1"], version: 1)
        var config = device.config()
        try await config.fetchAndActivate()
        let path = TestDevice.path(config.core.app)
        let whole = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
        var variants: [[UInt8]] = [[], [0x0A], Array("{}".utf8), Array(whole.dropLast()), whole + [0x20]]
        for position in [0, 10, 63, 64, 65, whole.count / 2, whole.count - 1] {
            var bytes = whole
            bytes[position] ^= 1
            variants.append(bytes)
        }
        for bytes in variants {
            await config.core.app.delete()
            try Data(bytes).write(to: URL(fileURLWithPath: path))
            config = device.config()
            #expect(config["a"].source == .static && config.lastFetchStatus == .noFetchYet)
        }
        try await config.fetchAndActivate()
        #expect(config["a"].stringValue == "1")
        #expect(device.server.fetches.last?.header("if-none-match") == nil)
        config = await device.restarted(config)
        #expect(config["a"].stringValue == "1", "the next fetch has written a whole file")
    }

    @Test("A disk that cannot be written affects only later processes")
    func fullDisk() async throws {
        let device = try TestDevice()
        device.server.serve(["a": "1"], version: 1)
        let files = FailingFiles()
        let config = RemoteConfig.remoteConfig(app: device.start(files: files))
        try await config.fetch()
        files.fail { _ in FileError(.noSpace, "No space left on device") }
        #expect(try await config.activate())
        #expect(config["a"].stringValue == "1")
        let next = await device.restarted(config)
        #expect(next["a"].source == .static)
    }

    @Test("A power loss at any moment leaves the old record or the new one")
    func powerLoss() throws {
        let folder = try TemporaryFolder()
        let recording = RecordingFiles(root: folder.path)
        func file(_ folder: String, _ files: any FileOperations) -> ConfigFile {
            ConfigFile(folder: folder + "/app", files: files)
        }
        let records = ["1", "2"].map { ConfigRecord(fetched: ConfigSnapshot(entries: ["a": $0])) }
        for record in records {
            try file(folder.path, recording).save(record)
            recording.note("saved")
        }
        let count = try CrashReplay(recording).forEachState { state in
            let found = file(state.folder, DiskFiles()).load()
            let saved = state.notes.count
            let allowed = [saved > 0 ? records[saved - 1] : nil, saved < 2 ? records[saved] : records[1]]
            #expect(allowed.contains(found), "\(state)")
        }
        #expect(count > 5)
    }

    @Test("A slow disk delays neither the start nor defaults")
    func slowDisk() async throws {
        let device = try TestDevice()
        device.server.serve(["a": "1"], version: 1)
        let first = device.config()
        try await first.fetchAndActivate()
        // A file whose removal takes as long as the test requires.
        try Data().write(to: URL(fileURLWithPath: TestDevice.path(first.core.app) + ".new-abc"))
        await first.core.app.delete()
        let disk = DispatchSemaphore(value: 0)
        let files = FailingFiles { _ in
            disk.wait()
            return nil
        }
        let config = RemoteConfig.remoteConfig(app: device.start(files: files))
        config.configSettings = RemoteConfigSettings()
        config.setDefaults(["b": "2" as NSString])
        #expect(config.defaultValue(forKey: "b")?.stringValue == "2")
        #expect(config.configValue(forKey: "b", source: .default).stringValue == "2")
        config.fetch(completionHandler: nil)
        files.fail { _ in nil }
        disk.signal()
        #expect(config["a"].stringValue == "1")
    }

    @Test("The next start removes the files of a killed writer")
    func leftovers() async throws {
        let device = try TestDevice()
        device.server.serve(["a": "1"], version: 1)
        let config = device.config()
        try await config.fetch()
        let left = TestDevice.path(config.core.app) + ".new-abc"
        try Data("half".utf8).write(to: URL(fileURLWithPath: left))
        let next = await device.restarted(config)
        #expect(next.lastFetchStatus == .success)
        #expect(!FileManager.default.fileExists(atPath: left))
    }

    @Test("Only the user may read the file")
    func mode() async throws {
        let device = try TestDevice()
        device.server.serve(["a": "1"], version: 1)
        let config = device.config()
        try await config.fetch()
        let attributes = try FileManager.default.attributesOfItem(atPath: TestDevice.path(config.core.app))
        #expect(attributes[.posixPermissions] as? Int == 0o600)
    }

    @Test("Two apps in one process are independent")
    func apps() async throws {
        let (one, two) = (try TestDevice(), try TestDevice())
        one.server.serve(["a": "1"], version: 1)
        two.server.serve(["a": "2"], version: 1)
        let (first, second) = (one.config(), two.config())
        #expect(RemoteConfig.remoteConfig(app: first.core.app) === first && first !== second)
        try await first.fetchAndActivate()
        #expect(second["a"].source == .static)
        try await second.fetchAndActivate()
        #expect(first["a"].stringValue == "1" && second["a"].stringValue == "2")
    }
}
