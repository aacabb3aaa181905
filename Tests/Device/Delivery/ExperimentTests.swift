import Foundation
import HearthApp
import HearthDeliveryTesting
import HearthEvents
import HearthFiles
import HearthModelSource
import HearthTestSupport
import HearthWire
import Synchronization
import Testing

@testable import HearthDelivery

@Suite("Models of experiments", .limitedTime)
struct ExperimentTests {
    private let device: TestDevice
    private let assignment = Assignment()
    private var host: ModelHost { device.host }

    init() throws {
        device = try TestDevice()
        host.publish(Sample.v1, as: "digits")
        assignment.apply(to: device.host)
    }

    /// What the server knows once the device has sent everything.
    private func exposures(_ device: TestDevice? = nil) async throws -> [String] {
        try await Analytics.analytics(app: (device ?? self.device).app).sendPendingEvents()
        return host.eventItems.compactMap(\.exposure).map { "\($0.experiment)/\($0.variant)" }
    }

    @Test("the app gets its variant's model: reported once, also over restarts")
    func once() async throws {
        assignment.value = "sharpness/new, other/B"
        _ = try await device.get()
        _ = try await device.get("digits", .localModel)
        #expect(try await exposures() == ["sharpness/new", "other/B"])
        let restarted = try TestDevice(host: host, name: device.app.name, sharingStoreOf: device)
        _ = try await restarted.get("digits", .localModel)
        _ = try await restarted.get()
        #expect(try await exposures(restarted) == ["sharpness/new", "other/B"])
    }

    /// Ways in which an app gets a model that is on the device.
    enum Way: CaseIterable {
        case local, background, blocking, managerPath
    }

    @Test("every way in which an app gets the model counts", arguments: Way.allCases)
    func ways(way: Way) async throws {
        assignment.value = "sharpness/new"
        let fetched = await withCheckedContinuation { continuation in
            DeliveryCore.core(of: device.app).download("digits", completion: { continuation.resume(returning: $0) })
        }
        #expect(try fetched.get().contents == Sample.v1)
        #expect(try await exposures() == [], "fetching it is not using it")
        switch way {
        case .local: _ = try await device.get("digits", .localModel)
        case .background: _ = try await device.get("digits", .localModelUpdateInBackground)
        case .blocking: _ = try device.downloader.installedModel(name: "digits")
        case .managerPath:
            let manager = ModelManager.modelManager(app: device.app)
            _ = try await manager.getLatestModelFilePath(CustomRemoteModel(name: "digits"))
        }
        #expect(try await exposures() == ["sharpness/new"])
    }

    @Test("the same bytes under another assignment: what the last answer said counts, and none is none")
    func reassigned() async throws {
        _ = try await device.get()
        assignment.value = "sharpness/control"
        let model = try await device.get()
        #expect(try await exposures() == ["sharpness/control"])
        assignment.value = nil
        #expect(try await device.get() == model)
        Analytics.analytics(app: device.app).resetAnalyticsData()
        _ = try await device.get("digits", .localModel)
        #expect(try await exposures() == ["sharpness/control"], "it has ended")
        #expect(host.requestCount(.file) == 1)
    }

    @Test("an installation takes part from the answer on, also while the variant's version cannot be fetched")
    func unfetched() async throws {
        _ = try await device.get()
        host.publish(Sample.v2, as: "digits")
        assignment.value = "sharpness/new"
        host.on(.file) { _, answer in answer.status = 404 }
        _ = try? await device.get()
        let model = try await device.get("digits", .localModel)
        #expect(model.contents == Sample.v1)
        #expect(try await exposures() == ["sharpness/new"])
    }

    @Test("an update, and the way back: each version counts for its own assignment")
    func updates() async throws {
        assignment.value = "sharpness/old"
        let first = try await device.get()
        host.publish(Sample.v2, as: "digits")
        assignment.value = "sharpness/new"
        _ = try await device.get()
        host.rollBack("digits")
        assignment.value = nil
        #expect(try await device.get() == first)
        #expect(try await exposures() == ["sharpness/old", "sharpness/new"])
        let pointer = try StoredPointer(device).pointer()
        #expect(pointer?.current?.experiments == [] && pointer?.previous?.experiments == [])
    }

    @Test("a disk that takes no notes: the answer counts all the same")
    func fullDisk() async throws {
        _ = try await device.get()
        assignment.value = "sharpness/new"
        device.disk.fail(with: .full())
        let model = try await device.get()
        #expect(model.contents == Sample.v1)
        device.disk.endFaults()
        #expect(model.experiments == [ModelExperiment(experiment: "sharpness", variant: "new")])
    }

    @Test(
        "what a server may write into the header",
        arguments: [
            ("a/b", ["a/b"]), (" a / b ,c/d", ["a/b", "c/d"]), ("", []), ("a", []), ("a/", []), ("/b", []),
            ("a/b/, d/e", ["d/e"]), ("a/b/c/d", []),
            ("a/b/2026-11-22T10:00:00.000001Z,d/e", ["a/b", "d/e"]), (",,/,", []),
            (String(repeating: "x", count: 300) + "/b", []),
            ((0..<100).map { "e\($0)/v" }.joined(separator: ","), (0..<20).map { "e\($0)/v" }),
        ])
    func header(text: String, expected: [String]) {
        #expect(ModelExperiment.all(in: [text]).map { "\($0.experiment)/\($0.variant)" } == expected)
    }

    @Test("a record whose assignment is not readable still has its model", arguments: ["5", "[5]", #"{"a":1}"#])
    func damagedRecord(text: String) throws {
        let json = #"{"name":"m","hash":"\#(Sample.hash(Sample.v1))","size":5,"version":2,"experiments":\#(text)}"#
        let pointer = try JSONDecoder().decode(ModelPointer.self, from: Data(json.utf8))
        #expect(pointer.current?.version == 2 && pointer.current?.experiments == [])
    }
}

/// What the server says in its answers about models. Use it from any thread.
private final class Assignment: Sendable {
    private let text = Mutex<String?>(nil)

    var value: String? {
        get { text.withLock { $0 } }
        set { text.withLock { $0 = newValue } }
    }

    func apply(to host: ModelHost) {
        host.on(.info) { [self] _, answer in answer.setHeader("X-Hearth-Experiment", value) }
    }
}

private struct StoredPointer {
    let device: TestDevice

    init(_ device: TestDevice) { self.device = device }

    func pointer() throws -> ModelPointer? {
        try DeviceStore(folder: device.app.folder, files: DiskFiles()).pointers.pointer("digits")
    }
}
