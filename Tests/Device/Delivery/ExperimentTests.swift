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

    /// What the server knows when the device has sent everything.
    private func exposures(_ device: TestDevice? = nil) async throws -> [String] {
        try await Analytics.analytics(app: (device ?? self.device).app).sendPendingEvents()
        return host.eventItems.compactMap(\.exposure).map { "\($0.experiment)/\($0.variant)" }
    }

    @Test("The app gets its variant's model, which is reported once, even after restarts")
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

    /// The ways in which an app gets a model that is on the device.
    enum Way: CaseIterable {
        case local, background, blocking, managerPath
    }

    @Test("Every way in which an app gets the model counts", arguments: Way.allCases)
    func ways(way: Way) async throws {
        assignment.value = "sharpness/new"
        let fetched = await withCheckedContinuation { continuation in
            DeliveryCore.core(of: device.app).download("digits", completion: { continuation.resume(returning: $0) })
        }
        #expect(try fetched.get().contents == Sample.v1)
        #expect(try await exposures() == [], "a download is not a use")
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

    @Test("The same bytes for another assignment: the last answer counts, also one without experiments")
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

    @Test("An installation takes part from the answer on, even while its variant's version cannot be downloaded")
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

    @Test("After an update and a rollback, each version counts for its own assignment")
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

    @Test("On a disk that cannot be written, the answer still counts")
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
        "The forms of the server's header",
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

    @Test("A record with an unreadable assignment still has its model", arguments: ["5", "[5]", #"{"a":1}"#])
    func damagedRecord(text: String) throws {
        let json = #"{"name":"m","hash":"\#(Sample.hash(Sample.v1))","size":5,"version":2,"experiments":\#(text)}"#
        let pointer = try JSONDecoder().decode(ModelPointer.self, from: Data(json.utf8))
        #expect(pointer.current?.version == 2 && pointer.current?.experiments == [])
    }
}

/// The server's answers about models. Use it from any thread.
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
