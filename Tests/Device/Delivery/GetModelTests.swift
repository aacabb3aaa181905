import Dispatch
import Foundation
import HearthDeliveryTesting
import HearthModelSource
import HearthTestSupport
import HearthTransport
import Testing

@testable import HearthDelivery

@Suite("Getting a model")
struct GetModelTests {
    private let device: TestDevice
    private var host: ModelHost { device.host }

    init() throws {
        device = try TestDevice()
        host.publish(Sample.v1, as: "digits")
    }

    @Test("Downloaded once, whole, with the server's values")
    func first() async throws {
        let model = try await device.get()
        #expect(model.name == "digits")
        #expect(model.size == Sample.v1.count)
        #expect(model.hash == Sample.hash(Sample.v1))
        #expect(model.path.hasPrefix("/"))
        #expect(model.contents == Sample.v1)
        #expect(try await device.get() == model)
        #expect(host.requests(.info).count == 2)
        #expect(host.requests(.file).count == 1, "the second answer was 304")
        #expect(host.requests(.installation).count == 1)
    }

    @Test("The request has what the server needs, and its URL does not contain the key")
    func infoRequest() async throws {
        _ = try await device.get()
        _ = try await device.get()
        let requests = host.requests(.info)
        let first = try #require(requests.first)
        #expect(first.method == "GET")
        #expect(first.url == "https://models.example.com/v1beta2/projects/demo/models/digits:download")
        #expect(first.header("x-goog-api-key")?.count == 39)
        #expect(first.header("x-ios-bundle-identifier") == "app.example")
        #expect(first.header("x-goog-firebase-installations-auth") == "device-token-1")
        #expect(first.header("if-none-match") == nil)
        #expect(requests.last?.header("if-none-match") == Sample.hash(Sample.v1))
    }

    @Test("The link's host gets no header of Hearth")
    func secretsStayHome() async throws {
        _ = try await device.get()
        let request = try #require(host.requests(.file).first)
        #expect(request.url.hasPrefix(host.linkURL))
        #expect(request.headers.isEmpty)
    }

    @Test("localModel: downloads only when the device has no copy")
    func localModel() async throws {
        let model = try await device.get("digits", .localModel)
        host.publish(Sample.v2, as: "digits")
        #expect(try await device.get("digits", .localModel) == model)
        #expect(host.requests(.info).count == 1)
    }

    @Test("latestModel: always calls the server, and returns the new version")
    func latestModel() async throws {
        let old = try await device.get()
        host.publish(Sample.v2, as: "digits")
        let new = try await device.get()
        #expect(new.contents == Sample.v2)
        #expect(new.hash != old.hash)
        #expect(try await device.get("digits", .localModel) == new)
    }

    @Test("localModelUpdateInBackground: returns the old version immediately, the new one the next time", .limitedTime)
    func background() async throws {
        let old = try await device.get()
        host.publish(Sample.v2, as: "digits")
        let gate = Latch()
        host.on(.file) { _, _ in gate.waitUntilOpen() }
        #expect(try await device.get("digits", .localModelUpdateInBackground) == old)
        // Joins the download in the background and ends with it.
        async let new = device.get("digits", .latestModel)
        gate.open()
        #expect(try await new.contents == Sample.v2)
        #expect(try await device.get("digits", .localModelUpdateInBackground).contents == Sample.v2)
    }

    @Test("An error in the background is not reported; without a local copy, the caller gets it")
    func backgroundErrors() async throws {
        let other = await device.error("none", .localModelUpdateInBackground)
        #expect(other == .notFound)
        let model = try await device.get()
        host.goOffline()
        #expect(try await device.get("digits", .localModelUpdateInBackground) == model)
        #expect(try await device.get("digits", .localModel) == model)
    }

    @Test("Old paths stay readable after one update, and are deleted after the second")
    func previousVersion() async throws {
        let one = try await device.get()
        host.publish(Sample.v2, as: "digits")
        let two = try await device.get()
        #expect(one.contents == Sample.v1)
        host.publish(Sample.v3, as: "digits")
        _ = try await device.get()
        #expect(device.collects(one))
        #expect(two.contents == Sample.v2)
    }

    @Test("A rollback finds the file of the version before, or downloads it again")
    func rollback() async throws {
        _ = try await device.get()
        host.publish(Sample.v2, as: "digits")
        let two = try await device.get()
        host.publish(Sample.v1, as: "digits")
        #expect(try await device.get().contents == Sample.v1)
        #expect(two.contents == Sample.v2)
    }

    @Test("Two names, one content: deleting one leaves the other")
    func sharedContent() async throws {
        host.publish(Sample.v1, as: "twin")
        let one = try await device.get()
        let two = try await device.get("twin")
        #expect(one.path == two.path)
        try await device.downloader.deleteDownloadedModel(name: "digits")
        #expect(two.contents == Sample.v1)
    }

    @Test("Calls at the same time share one download, and all complete", .limitedTime)
    func joined() async throws {
        let gate = Latch()
        host.on(.file) { _, _ in gate.waitUntilOpen() }
        let models = try await withThrowingTaskGroup { group in
            for _ in 0..<8 {
                group.addTask { [device] in try await device.get() }
            }
            gate.open()
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(models.count == 8)
        #expect(Set(models).count == 1)
        #expect(host.requests(.file).count == 1)
    }

    @Test("A failed download fails for all callers that share it, but not for later ones", .limitedTime)
    func joinedFailure() async throws {
        let gate = Latch()
        host.on(.file) { _, answer in
            gate.waitUntilOpen()
            answer.body[0] ^= 1
        }
        let errors = await withTaskGroup { group in
            for _ in 0..<4 { group.addTask { [device] in await device.error() } }
            gate.open()
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(errors.count == 4)
        #expect(errors.allSatisfy { $0 != nil })
        host.endFaults()
        #expect(try await device.get().contents == Sample.v1)
    }

    @Test("Different models are downloaded at the same time", .limitedTime)
    func parallel() async throws {
        host.publish(Sample.v2, as: "other")
        let gate = Latch()
        let first = Sample.hash(Sample.v1)
        host.on(.file) { request, _ in
            // The first model's file waits for the second model.
            if request.url.contains(first) { gate.waitUntilOpen() } else { gate.open() }
        }
        async let one = device.get()
        async let two = device.get("other")
        #expect(try await one.contents == Sample.v1)
        #expect(try await two.contents == Sample.v2)
    }

    @Test("Many models at the same time in one store, and none is deleted by another")
    func manyModels() async throws {
        let names = (0..<24).map { "model-\($0)" }
        for name in names { host.publish(Array(name.utf8), as: name) }
        let models = try await withThrowingTaskGroup { group in
            for name in names { group.addTask { [device] in try await device.get(name) } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(models.count == names.count)
        #expect(models.allSatisfy { $0.contents == Array($0.name.utf8) })
    }
}

/// Delays a simulated server's answers until a test releases them.
final class Latch: Sendable {
    private let semaphore = DispatchSemaphore(value: 0)

    func open() { semaphore.signal() }

    /// When open, it lets all requests pass.
    func waitUntilOpen() {
        semaphore.wait()
        semaphore.signal()
    }
}
