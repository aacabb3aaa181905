import Dispatch
import Foundation
import Glibc
import HearthApp
import HearthCrypto
import HearthDeliveryTesting
import HearthFiles
import HearthTestSupport
import Testing

@testable import HearthDelivery

@Suite("One store, several programs")
struct SharedStoreTests {
    #if compiler(>=6.3)  // Swift Testing lends values to another process from Swift 6.3 on.
        @Test("Processes that update, read and delete the same models see whole versions only", .limitedTime)
        func processes() async throws {
            let folder = try TemporaryFolder()
            try await withThrowingTaskGroup { group in
                for number in 0..<3 {
                    let path = folder.path
                    group.addTask {
                        await #expect(processExitsWith: .success) { [path = path as String, number = number as Int] in
                            try SharingProcess(folder: path, number: number).run()
                        }
                    }
                }
                try await group.waitForAll()
            }
            let store = try DeviceStore(folder: folder.path, files: DiskFiles())
            for name in SharingProcess.names {
                if case .damaged = try store.find(name) { Issue.record("\(name) is damaged") }
            }
            // All processes have ended, so no file is in use any more.
            _ = try store.collect()
            let names = try DiskFiles().list(folder.path + "/files")
            #expect(names.allSatisfy { SHA256Digest(hex: $0) != nil }, "\(names)")
            #expect(names.count <= 2 * SharingProcess.names.count)
        }
    #endif

    @Test("Two programs that download the same model at the same time both get it", .limitedTime)
    func twoDevices() async throws {
        let host = ModelHost()
        let one = try TestDevice(host: host)
        let two = try TestDevice(host: host, sharingStoreOf: one)
        host.publish(Sample.v2, as: "digits")
        async let first = one.get()
        async let second = two.get()
        let models = try await [first, second]
        #expect(models.allSatisfy { $0.contents == Sample.v2 })
        #expect(host.requestCount(.file) == 1, "the second found it installed")
    }

    @Test("An update by another program is seen at the next call")
    func updateElsewhere() async throws {
        let one = try TestDevice()
        let two = try TestDevice(sharingStoreOf: one)
        one.host.publish(Sample.v1, as: "digits")
        two.host.publish(Sample.v2, as: "digits")
        let old = try await one.get()
        _ = try await two.get()
        #expect(try await one.get("digits", .localModel).contents == Sample.v2)
        #expect(old.contents == Sample.v1, "the path that is in use stays")
    }
}

/// The work of one of the processes.
struct SharingProcess {
    static let names = ["a", "b"]

    let folder: String
    let number: Int

    func run() throws {
        let store = try DeviceStore(folder: folder, files: DiskFiles())
        var random = SeededGenerator(seed: UInt64(number))
        for round in 0..<40 {
            guard let name = Self.names.randomElement(using: &random) else { return }
            switch Int.random(in: 0..<4, using: &random) {
            case 0: _ = try store.delete(name)
            case 1: try check(store, name)
            default: try install(store, name, round)
            }
        }
    }

    /// A found model is whole, and stays whole while it is the last one that this process got.
    private func check(_ store: DeviceStore, _ name: String) throws {
        switch try store.find(name) {
        case .missing: return
        case .damaged: throw FileError(.mismatch, "\(name) is damaged")
        case .installed(let model):
            for _ in 0..<20 {
                guard let contents = model.contents, Sample.hash(contents) == model.hash else {
                    throw FileError(.mismatch, "the file of \(name) went away under its reader")
                }
                sched_yield()
            }
        }
    }

    private func install(_ store: DeviceStore, _ name: String, _ round: Int) throws {
        let bytes = Array("\(number) \(round)".utf8) + [UInt8](repeating: 7, count: 5000)
        let model = try store.install(bytes, as: name, version: round)
        guard model.hash == Sample.hash(bytes) else { throw FileError(.mismatch, "another model") }
    }
}
