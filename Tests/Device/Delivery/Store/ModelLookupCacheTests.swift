import Foundation
import HearthApp
import HearthDeliveryTesting
import HearthFiles
import HearthTestSupport
import Testing

@testable import HearthDelivery

@Suite("Looking a model up with every image")
struct ModelLookupCacheTests {
    private let files = FailingFiles()
    private let device: TestDevice
    private var core: DeliveryCore { DeliveryCore.core(of: device.app) }

    init() throws {
        device = try TestDevice(files: files)
        device.host.publish(Sample.v1, as: "digits")
    }

    /// The stamp of a file that has just changed is not reliable yet.
    private func settle(_ model: CustomModel) throws {
        for path in [device.path("format"), device.path("models/digits.json"), model.path] {
            while try !#require(FileStamp(path: path)).isSettled() { sched_yield() }
        }
        // The first lookup remembers the result.
        #expect(try core.installed("digits") == model)
    }

    @Test("The result of a lookup is known without the store, until something changes")
    func known() async throws {
        let model = try await device.get()
        try settle(model)
        let found = ModelLookupCache()
        let evidence = try #require(ModelLookupCache.Key(of: "digits", storeFolder: device.app.folder))
        #expect(found.model("digits", evidence) == nil)
        found.remember(model, evidence)
        #expect(found.model("digits", evidence) == model)
        #expect(ModelLookupCache.Key(of: "digits", storeFolder: device.app.folder) == evidence)
        #expect(ModelLookupCache.Key(of: "other", storeFolder: device.app.folder) == nil)
        try Data([1]).write(to: URL(fileURLWithPath: model.path))
        #expect(found.model("digits", evidence) == nil, "its file has changed")
        _ = try core.delete("digits")
        #expect(ModelLookupCache.Key(of: "digits", storeFolder: device.app.folder) == nil)
    }

    @Test("An update, damage, a rejection and a deletion show at the next lookup")
    func changes() async throws {
        let old = try await device.get()
        try settle(old)
        device.host.publish(Sample.v2, as: "digits")
        let new = try await device.get()
        #expect(try core.installed("digits") == new)
        try settle(new)
        files.fail { if case .makeFolder = $0 { nil } else { FileError(.notPermitted, "read-only") } }
        #expect(core.reject(path: new.path, of: "digits", reason: "no")?.code == .unusable)
        #expect(core.reject(path: new.path, of: "digits", reason: "no") == nil)
        #expect(try core.installed("digits") == old)
        try settle(old)
        files.fail { _ in nil }
        try Data([UInt8](repeating: 0, count: Sample.v1.count)).write(to: URL(fileURLWithPath: old.path))
        #expect(try core.installed("digits") == nil)
        #expect(try core.delete("digits"))
        #expect(try core.find("digits") == .missing)
    }

    @Test("A store that a newer program has upgraded is reported")
    func newerStore() async throws {
        let model = try await device.get()
        try settle(model)
        try Data(#"{"format":3}"#.utf8).write(to: URL(fileURLWithPath: device.path("format")))
        #expect(throws: DownloadFailure.self) { try core.installed("digits") }
    }
}
