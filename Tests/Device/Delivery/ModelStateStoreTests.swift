import Dispatch
import Foundation
import HearthApp
import HearthDeliveryTesting
import HearthModelSource
import HearthTestSupport
import Synchronization
import Testing

@testable import HearthDelivery

@Suite("Observing a model", .limitedTime)
struct StateObservationTests {
    private let device: TestDevice
    private var host: ModelHost { device.host }
    private let key = DispatchSpecificKey<Bool>()

    init() throws {
        device = try TestDevice()
        host.publish(Sample.v2, as: "digits")
        device.app.callbackQueue.setSpecific(key: key, value: true)
    }

    /// The states that an observer gets on the callback queue.
    private func observe(_ name: String = "digits") -> (ModelStateObservation, AsyncStream<ModelState>.Iterator) {
        let (stream, continuation) = AsyncStream<ModelState>.makeStream()
        let observation = device.downloader.observeState(ofModel: name) { [key] state in
            #expect(DispatchQueue.getSpecific(key: key) == true)
            continuation.yield(state)
        }
        return (observation, stream.makeAsyncIterator())
    }

    @Test("A download, an update and a deletion, in order and each state once")
    func life() async throws {
        let (observation, iterator) = observe()
        var states = iterator
        #expect(await states.next() == .absent)
        let model = try await device.get()
        var progress: [Float] = []
        var state = await states.next()
        while case .downloading(let fraction) = state {
            progress.append(fraction)
            state = await states.next()
        }
        #expect(state == .ready(model))
        #expect(device.downloader.state(ofModel: "digits") == .ready(model))
        #expect(progress.first == 0 && progress.last == 1)
        #expect(progress.count <= 103)
        #expect(progress == progress.sorted() && Set(progress).count == progress.count)
        _ = try await device.get()
        host.publish(Sample.v1, as: "digits")
        let new = try await device.get()
        #expect(await states.next() == .updating(model, fraction: 1), "the check before changed no state")
        #expect(await states.next() == .ready(new))
        try await device.downloader.deleteDownloadedModel(name: "digits")
        #expect(await states.next() == .absent)
        observation.cancel()
    }

    @Test("A failure shows with the installed version, even one in the background that no caller gets")
    func failure() async throws {
        let model = try await device.get()
        let (observation, iterator) = observe()
        var states = iterator
        #expect(await states.next() == .ready(model))
        host.goOffline()
        _ = try await device.get("digits", .localModelUpdateInBackground)
        guard case .failed(_, let installed) = await states.next() else {
            Issue.record("no failure")
            return
        }
        #expect(installed == model)
        host.endFaults()
        _ = try await device.get()
        #expect(await states.next() == .ready(model))
        withExtendedLifetime(observation) {}
    }

    @Test("A cancelled or released observation gets no further calls")
    func end() async throws {
        let seen = Mutex(0)
        var released: ModelStateObservation? = device.downloader.observeState(ofModel: "digits") { _ in
            seen.withLock { $0 += 1 }
        }
        let cancelled = device.downloader.observeState(ofModel: "digits") { _ in seen.withLock { $0 += 1 } }
        withExtendedLifetime(released) {}
        released = nil
        cancelled.cancel()
        // Calls that were running when they ended have arrived by now.
        let queue = device.app.callbackQueue
        await withCheckedContinuation { continuation in queue.async { continuation.resume() } }
        let before = seen.withLock { $0 }
        _ = try await device.get()
        await withCheckedContinuation { continuation in queue.async { continuation.resume() } }
        #expect(seen.withLock { $0 } == before)
    }

    @Test("A stream needs no callback queue, delivers the newest state to a slow reader, and ends with the app")
    func stream() async throws {
        let stuck = DispatchQueue(label: "stuck")
        stuck.suspend()
        defer { stuck.resume() }
        device.app.callbackQueue = stuck
        var states = device.downloader.states(ofModel: "digits").makeAsyncIterator()
        #expect(await states.next() == .absent)
        let model = try await device.get()
        var last = await states.next()
        while last != .ready(model) { last = await states.next() }
        await device.app.delete()
        #expect(await states.next() == nil)
        var late = device.downloader.states(ofModel: "digits").makeAsyncIterator()
        #expect(await late.next() == nil)
    }

    @Test("A damaged file shows, is downloaded again when the app requests the model, and shows that too")
    func damage() async throws {
        let model = try await device.get()
        try Data([1, 2, 3]).write(to: URL(fileURLWithPath: model.path))
        #expect(device.downloader.state(ofModel: "digits") == .failed(.damaged("digits"), installed: nil))
        #expect(try await device.get("digits", .localModel) == model)
        #expect(device.downloader.state(ofModel: "digits") == .ready(model))
        #expect(model.contents == Sample.v2)
    }

    @Test("A caller does not wait for a damaged file while there is a version before it")
    func damageWithPrevious() async throws {
        let old = try await device.get()
        host.publish(Sample.v1, as: "digits")
        let new = try await device.get()
        try Data([1, 2, 3]).write(to: URL(fileURLWithPath: new.path))
        var states = device.downloader.states(ofModel: "digits").makeAsyncIterator()
        #expect(await states.next() == .failed(.damaged("digits"), installed: old))
        #expect(try await device.get("digits", .localModel) == old)
        var state = await states.next()
        while state?.model != new { state = await states.next() }
        #expect(new.contents == Sample.v1)
    }

    @Test(
        "A model that does not load: the version before it is back, the app is notified, and a newer one is installed"
    )
    func reject() async throws {
        let name = "put-aside"
        host.publish(Sample.v1, as: name)
        let old = try await device.get(name)
        host.publish(Sample.v2, as: name)
        let new = try await device.get(name)
        let told = AsyncStream<String>.makeStream()
        let token = NotificationCenter.default.addObserver(
            forName: .firebaseMLModelDownloadDidFail, object: nil, queue: nil
        ) { note in
            let model = note.userInfo?[ModelDownloadUserInfoKey.remoteModel.rawValue] as? RemoteModel
            let error = note.userInfo?[ModelDownloadUserInfoKey.error.rawValue] as? NSError
            if model?.name == name { told.continuation.yield(error?.localizedDescription ?? "") }
        }
        defer { NotificationCenter.default.removeObserver(token) }
        device.downloader.reject(new, reason: "it has\nno operators")
        var messages = told.stream.makeAsyncIterator()
        #expect(await messages.next()?.contains("it has no operators") == true)
        guard case .failed(let failure, let installed) = device.downloader.state(ofModel: name) else {
            Issue.record("no failure")
            return
        }
        #expect(failure.code == .unusable)
        #expect(installed == old)
        #expect(try device.downloader.installedModel(name: name) == old)
        device.downloader.reject(new, reason: "again")
        #expect(device.downloader.state(ofModel: name) == .failed(failure, installed: old), "it is not installed")
        let files = host.requestCount(.file)
        #expect(try await device.get(name) == old, "the published version is known not to work")
        #expect(host.requestCount(.file) == files)
        host.publish(Sample.v3, as: name)
        let newest = try await device.get(name)
        #expect(device.downloader.state(ofModel: name) == .ready(newest))
    }

    @Test("Downloads and deletions of another program show at the next lookup")
    func otherProgram() async throws {
        let other = try TestDevice(host: host, sharingStoreOf: device)
        #expect(device.downloader.state(ofModel: "digits") == .absent)
        let model = try await other.get()
        #expect(device.downloader.state(ofModel: "digits").model?.hash == model.hash)
        try await other.downloader.deleteDownloadedModel(name: "digits")
        #expect(device.downloader.state(ofModel: "digits") == .absent)
    }

    @Test("An invalid name is a failure, not a crash", arguments: ["", "../..", "a/b", "\u{0}", "日本"])
    func names(name: String) {
        switch device.downloader.state(ofModel: name) {
        case .absent: #expect(!name.isEmpty)
        case .failed(let failure, _): #expect(failure.error == .emptyModelName && name.isEmpty)
        default: Issue.record("no such model")
        }
    }
}

@Suite("The store of states")
struct ModelStateStoreTests {
    private let model = CustomModel(name: "digits", size: 1, path: "/new", hash: "b")

    @Test("A lookup during which a version was installed is ignored")
    func overtaken() {
        let board = ModelStateStore()
        let job = DownloadJob(id: 1, name: "digits", conditions: DownloadConditions(ModelDownloadConditions()))
        defer { job.markEnded() }
        board.record(.started, of: job)
        let generation = board.generation(of: "digits")
        board.record(.ended(.success(model)), of: job)
        board.recordLookup(.success(.missing), of: "digits", generation: generation)
        #expect(board.state(of: "digits") == .ready(model))
        board.recordLookup(.success(.missing), of: "digits", generation: board.generation(of: "digits"))
        #expect(board.state(of: "digits") == .absent)
    }

    @Test("A download that was cancelled before its thread began shows in no state")
    func cancelledBefore() {
        let board = ModelStateStore()
        let job = DownloadJob(id: 1, name: "digits", conditions: DownloadConditions(ModelDownloadConditions()))
        defer { job.markEnded() }
        job.cancel()
        board.record(.started, of: job)
        #expect(board.state(of: "digits") == .absent)
    }
}
