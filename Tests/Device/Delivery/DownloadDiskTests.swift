import Foundation
import HearthApp
import HearthDeliveryTesting
import HearthTestSupport
import Testing

@testable import HearthDelivery

/// A small file system in memory, mounted on a folder; needs the right to mount.
private struct SmallDisk {
    static let isAllowed: Bool = {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("hearth-mount-\(UUID().uuidString)")
        guard (try? FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)) != nil else {
            return false
        }
        defer { try? FileManager.default.removeItem(at: folder) }
        let disk = SmallDisk(folder: folder.path)
        guard disk.mount(bytes: 65_536) else { return false }
        return disk.unmount()
    }()

    let folder: String

    func mount(bytes: Int) -> Bool { run("mount", "-t", "tmpfs", "-o", "size=\(bytes)", "tmpfs", folder) }
    func remount(_ mode: String) -> Bool { run("mount", "-o", "remount,\(mode)", folder) }
    @discardableResult
    func unmount() -> Bool { run("umount", "-l", folder) }

    private func run(_ arguments: String...) -> Bool {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = arguments
        process.standardError = FileHandle.nullDevice
        guard (try? process.run()) != nil else { return false }
        process.waitUntilExit()
        return process.terminationStatus == 0
    }
}

/// The accidents of `DownloadAccidentTests` that a disk brings, on a disk that really is full or read-only.
@Suite(
    "Downloads on a real small disk", .serialized, .limitedTime,
    .enabled(if: SmallDisk.isAllowed, "mounting is not allowed here"))
struct DownloadDiskTests {
    private let device: TestDevice
    private let disk: SmallDisk

    init() throws {
        device = try TestDevice()
        disk = SmallDisk(folder: device.app.environment.storeFolder)
        device.host.publish(Sample.v1, as: "digits")
    }

    private func withDisk(_ body: (CustomModel) async throws -> Void) async throws {
        try #require(disk.mount(bytes: 1 << 20))
        defer { disk.unmount() }
        let old = try await device.fetch(settings: settings).get()
        device.host.publish(Sample.v2, as: "digits")
        try await body(old)
        #expect(try device.installed("digits")?.contents == Sample.v2)
    }

    private var settings: DeliverySettings {
        var settings = DeliverySettings()
        settings.reservedFreeBytes = 0
        return settings
    }

    private func fill() {
        let chunk = Data(repeating: 1, count: 4096)
        let path = disk.folder + "/filler"
        _ = FileManager.default.createFile(atPath: path, contents: nil)
        guard let handle = FileHandle(forWritingAtPath: path) else { return }
        while (try? handle.write(contentsOf: chunk)) != nil {}
        try? handle.close()
    }

    private func empty() { try? FileManager.default.removeItem(atPath: disk.folder + "/filler") }

    @Test("a disk that is full before the download")
    func full() async throws {
        try await withDisk { old in
            fill()
            let failure = await device.failure(settings: settings)
            #expect(failure?.code == .noSpace && failure?.error == .notEnoughSpace)
            #expect(try device.installed("digits") == old)
            #expect(old.contents == Sample.v1)
            empty()
            _ = try await device.fetch(settings: settings).get()
        }
    }

    @Test("a disk that fills up during the download")
    func fillsUp() async throws {
        try await withDisk { old in
            let held = device.host.hold(.file, afterBytes: 50_000)
            async let result = device.fetch(settings: settings)
            await held.waitUntilReached()
            fill()
            held.release()
            guard case .failure(let failure) = await result else {
                Issue.record("it worked")
                return
            }
            #expect(failure.code == .noSpace && failure.error == .notEnoughSpace)
            #expect(try device.installed("digits") == old)
            #expect(old.contents == Sample.v1)
            empty()
            _ = try await device.fetch(settings: settings).get()
        }
    }

    @Test("a disk that becomes read-only")
    func readOnly() async throws {
        try await withDisk { old in
            try #require(disk.remount("ro"))
            #expect(await device.failure(settings: settings)?.code == .notWritable)
            #expect(try device.installed("digits") == old)
            #expect(old.contents == Sample.v1)
            try #require(disk.remount("rw"))
            _ = try await device.fetch(settings: settings).get()
        }
    }
}
