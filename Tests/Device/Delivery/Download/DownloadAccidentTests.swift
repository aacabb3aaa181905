import Foundation
import HearthApp
import HearthDeliveryTesting
import HearthTestSupport
import HearthTransport
import Synchronization
import Testing

@testable import HearthDelivery

/// Each failure by name, with its own code. In every case the model that was installed before is still installed and
/// can be used, and the next download brings the new one.
@Suite("Failures of a download")
struct DownloadAccidentTests {
    struct Accident: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let code: DownloadFailure.Code
        let error: DownloadError?
        let prepare: @Sendable (TestDevice) -> Void

        init(
            _ name: String, _ code: DownloadFailure.Code, _ error: DownloadError? = nil,
            _ prepare: @escaping @Sendable (TestDevice) -> Void
        ) {
            (testDescription, self.code, self.error, self.prepare) = (name, code, error, prepare)
        }
    }

    private static let always = Int?.none

    static let bytes: [Accident] = [
        Accident("altered bytes", .wrongHash) { $0.host.fail(.file, with: .alterByte(at: 100_000), times: always) },
        Accident("wrong hash announced", .wrongHash) { $0.host.fail(.info, with: .wrongHash, times: always) },
        Accident("other bytes", .wrongHash) { $0.host.fail(.file, with: .wrongHash, times: always) },
        Accident("truncated", .truncated, .failedPrecondition) { device in
            device.host.on(.file) { _, answer in
                answer.setHeader("ETag", nil)
                answer.breaksAfter = 100_000
            }
        },
        Accident("endless body", .tooLong) { $0.host.fail(.file, with: .endless, times: always) },
        Accident("slow body", .tooSlow, .failedPrecondition) {
            $0.host.fail(.file, with: .stall(afterBytes: 0), times: always)
        },
        Accident("a body too slow for the deadline", .tooSlow, .failedPrecondition) {
            $0.host.fail(.file, with: .slow(bytesPerSecond: 10), times: always)
        },
        Accident("wrong length, too long", .wrongLength) { $0.host.fail(.file, with: .wrongLength, times: always) },
        Accident("wrong length, too short", .wrongLength) {
            $0.host.fail(.file, with: .truncate(to: 100_000), times: always)
        },
        Accident("wrong length announced", .wrongLength) { $0.host.fail(.info, with: .wrongLength, times: always) },
    ]

    static let network: [Accident] = [
        Accident("redirect of the file to another host", .redirected, .failedPrecondition) {
            $0.host.fail(.file, with: .redirect(to: "https://evil.example.org/f"), times: always)
        },
        Accident("redirect of the question to another host", .redirected) {
            $0.host.fail(.info, with: .redirect(to: "https://evil.example.org/f"), times: always)
        },
        Accident("redirect of the file to plain http", .plainHTTP, .failedPrecondition) {
            $0.host.fail(.file, with: .redirect(to: "http://files.example.net/f"), times: always)
        },
        Accident("redirect of the question to plain http", .plainHTTP) {
            $0.host.fail(.info, with: .redirect(to: "http://models.example.com/f"), times: always)
        },
        Accident("a link to plain http", .plainHTTP) { device in
            device.host.on(.info) { _, answer in answer.setField("downloadUri", "http://files.example.net/f") }
        },
        Accident("a link without a host", .malformedResponse, .failedPrecondition) { device in
            device.host.on(.info) { _, answer in answer.setField("downloadUri", "https://") }
        },
        Accident("a link with a password", .malformedResponse, .failedPrecondition) { device in
            device.host.on(.info) { _, answer in answer.setField("downloadUri", "https://user:pw@files.example.net/f") }
        },
        Accident("a link with a port that is none", .malformedResponse, .failedPrecondition) { device in
            device.host.on(.info) { _, answer in answer.setField("downloadUri", "https://files.example.net:99999/f") }
        },
        Accident("DNS failure of the server", .hostNotFound) {
            $0.host.fail(.info, with: .nameNotFound, times: always)
        },
        Accident("DNS failure of the link's host", .hostNotFound, .failedPrecondition) {
            $0.host.fail(.file, with: .nameNotFound, times: always)
        },
        Accident("no connection to the server", .cannotConnect) { $0.host.goOffline() },
        Accident("no connection to the link's host", .cannotConnect, .failedPrecondition) {
            $0.host.fail(.file, with: .offline, times: always)
        },
        Accident("a certificate that is not trusted", .notSecure) {
            $0.host.fail(.info, with: .notSecure, times: always)
        },
        Accident("nonsense from the server", .malformedResponse) {
            $0.host.fail(.info, with: .captivePortal, times: always)
        },
        Accident("nonsense from the link's host", .malformedResponse) {
            $0.host.fail(.file, with: .captivePortal, times: always)
        },
        Accident("the server is busy", .serverBusy, .resourceExhausted) {
            $0.host.fail(.info, with: .status(429), times: always)
        },
        Accident("the server is down", .serverBusy) { $0.host.fail(.info, with: .status(503), times: always) },
        Accident("the server fails", .serverFailed) { $0.host.fail(.info, with: .status(500), times: always) },
        Accident("the model was withdrawn", .notFound, .notFound) { $0.host.unpublish("digits") },
        Accident("the server refuses", .permissionDenied, .permissionDenied) {
            $0.host.fail(.info, with: .status(403), times: always)
        },
        Accident("the link is refused", .permissionDenied, .permissionDenied) {
            $0.host.fail(.file, with: .status(403), times: always)
        },
        Accident("links that are always too old", .linkExpired) {
            $0.host.fail(.info, with: .expiredLink, times: always)
        },
    ]

    static let disk: [Accident] = [
        Accident("full disk", .noSpace, .notEnoughSpace) { $0.disk.fail(with: .full(afterBytes: 50_000)) },
        Accident("read-only disk", .notWritable) { $0.disk.fail(with: .readOnly) },
        Accident("a disk that breaks", .storeFailed) { $0.disk.fail(with: .broken) },
    ]

    @Test("The update fails, the old model stays, the next update works", arguments: bytes + network + disk)
    func accident(_ accident: Accident) async throws {
        let device = try TestDevice()
        device.host.publish(Sample.v1, as: "digits")
        let old = try await device.fetch().get()
        device.host.publish(Sample.v2, as: "digits")
        accident.prepare(device)
        let failure = await device.failure()
        #expect(failure?.code == accident.code, "\(failure?.message ?? "no failure")")
        if let error = accident.error { #expect(failure?.error == error) }
        #expect(failure?.message.contains("\n") == false && failure?.message.isEmpty == false)
        #expect(try device.installed("digits") == old)
        #expect(old.contents == Sample.v1)
        device.host.endFaults()
        device.disk.endFaults()
        if accident.code == .notFound { device.host.publish(Sample.v2, as: "digits") }
        #expect(try await device.fetch().get().contents == Sample.v2)
    }

    @Test("The first download fails, the next one works", arguments: bytes + network + disk)
    func accidentOfFirstFetch(_ accident: Accident) async throws {
        let device = try TestDevice()
        device.host.publish(Sample.v1, as: "other")
        _ = try await device.fetch("other").get()
        device.host.publish(Sample.v2, as: "digits")
        accident.prepare(device)
        #expect(await device.failure()?.code == accident.code)
        #expect(try device.installed("digits") == nil)
        device.host.endFaults()
        device.disk.endFaults()
        device.host.publish(Sample.v2, as: "digits")
        #expect(try await device.fetch().get().contents == Sample.v2)
    }

    @Test(
        "The store is removed during a download: that download fails, and the next one creates it again",
        .limitedTime)
    func storeRemoved() async throws {
        let device = try TestDevice()
        device.host.publish(Sample.v2, as: "digits")
        let held = device.host.hold(.file, afterBytes: 100_000)
        async let result = device.fetch()
        await held.waitUntilReached()
        try FileManager.default.removeItem(atPath: device.app.folder)
        held.release()
        guard case .failure(let failure) = await result else {
            Issue.record("it worked")
            return
        }
        #expect(failure.code == .storeRemoved && failure.isTemporary)
        #expect(try await device.fetch().get().contents == Sample.v2)
    }

    @Test("Redirects, faults and files of other models have no effect", arguments: ["other", "digits2"])
    func others(name: String) async throws {
        let device = try TestDevice()
        device.host.publish(Sample.v1, as: name)
        device.host.publish(Sample.v2, as: "digits")
        _ = try await device.fetch(name).get()
        device.host.fail(.file, with: .alterByte(at: 5))
        #expect(await device.failure()?.code == .wrongHash)
        #expect(try device.installed(name)?.contents == Sample.v1)
    }

    @Test("A clock that is wrong by a year in either direction has no effect", arguments: [-31_536_000.0, 31_536_000])
    func wrongClock(offset: Double) async throws {
        let host = ModelHost()
        let device = try TestDevice(
            host: host, clock: FakeClock(secondsSince1970: host.clock.secondsSince1970 + offset))
        host.publish(Sample.v1, as: "digits")
        #expect(try await device.fetch().get().contents == Sample.v1, "a valid link is used with any clock")
        #expect(host.requestCount(.info) == 1)
        host.publish(Sample.v2, as: "digits")
        host.fail(.info, with: .expiredLink)
        #expect(try await device.fetch().get().contents == Sample.v2, "an expired link is replaced")
    }

    @Test(
        "A clock that jumps by a year during a download has no effect", arguments: [-31_536_000.0, 31_536_000])
    func jumpingClock(offset: Double) async throws {
        let host = ModelHost()
        let clock = FakeClock(secondsSince1970: host.clock.secondsSince1970)
        let device = try TestDevice(host: host, clock: clock)
        host.publish(Sample.v2, as: "digits")
        host.fail(.file, with: .disconnect(afterBytes: 50_000), times: 2)
        host.on(.file) { _, _ in clock.setTimeOfDay(secondsSince1970: clock.secondsSince1970 + offset) }
        #expect(try await device.fetch().get().contents == Sample.v2)
        #expect(host.requestCount(.info) == 1)
    }
}

/// A small file system in memory, mounted on a folder; needs permission to mount.
private struct SmallFileSystem {
    static let isAllowed: Bool = {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("hearth-mount-\(UUID().uuidString)")
        guard (try? FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)) != nil else {
            return false
        }
        defer { try? FileManager.default.removeItem(at: folder) }
        let disk = SmallFileSystem(folder: folder.path)
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

/// The disk's failures of `DownloadAccidentTests`, on a disk that really is full or read-only.
@Suite(
    "Downloads on a real small disk", .serialized, .limitedTime,
    .enabled(if: SmallFileSystem.isAllowed, "mounting is not allowed here"))
struct DownloadDiskTests {
    private let device: TestDevice
    private let disk: SmallFileSystem

    init() throws {
        device = try TestDevice()
        disk = SmallFileSystem(folder: device.app.environment.storeFolder)
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

    @Test("A disk that is full before the download")
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

    @Test("A disk that fills up during the download")
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

    @Test("A disk that becomes read-only")
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
