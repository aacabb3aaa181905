import Dispatch
import Foundation
import HearthConcurrency
import HearthModelSource
import HearthTestSupport
import Synchronization
import Testing

@testable import HearthDelivery

@Suite("One download for many callers", .limitedTime)
struct DownloadCoordinatorTests {
    private let transfers = HeldDownloads()
    private let hub: DownloadCoordinator

    init() { hub = transfers.makeHub() }

    @Test("A hundred callers: one download, one result each, progress for all before the result")
    func shared() async {
        let callers = (0..<100).map { _ in RecordingCaller(hub, "digits") }
        transfers.release("digits")
        for caller in callers {
            #expect(await caller.answer == .success(HeldDownloads.model("digits")))
            #expect(caller.events == ["progress 1/4", "progress 4/4", "answer"])
        }
        #expect(transfers.jobs.map(\.name) == ["digits"])
    }

    @Test("A caller that cancels gets its result immediately; the download continues for the others")
    func oneLeaves() async {
        let impatient = RecordingCaller(hub, "digits")
        let patient = RecordingCaller(hub, "digits")
        impatient.cancel()
        #expect(await impatient.code == .cancelled)
        impatient.cancel()
        transfers.release("digits")
        #expect(await patient.answer == .success(HeldDownloads.model("digits")))
        #expect(impatient.events == ["answer"], "no progress, and no second result")
        #expect(transfers.jobs.map(\.isCancelled) == [false])
    }

    @Test("The last caller that cancels ends the download; a later caller starts another one")
    func allLeave() async {
        let callers = (0..<3).map { _ in RecordingCaller(hub, "digits") }
        transfers.waitUntilStarted("digits")
        for caller in callers { caller.cancel() }
        for caller in callers { #expect(await caller.code == .cancelled) }
        let next = RecordingCaller(hub, "digits")
        transfers.release("digits")
        transfers.release("digits")
        #expect(await next.answer == .success(HeldDownloads.model("digits")))
        #expect(transfers.jobs.map(\.isCancelled) == [true, false])
    }

    @Test("All waiting callers get a failure, but not later ones")
    func failure() async {
        transfers.fail("digits", .notFound)
        let callers = (0..<5).map { _ in RecordingCaller(hub, "digits") }
        transfers.release("digits")
        for caller in callers { #expect(await caller.code == .notFound) }
        transfers.fail("digits", nil)
        let later = RecordingCaller(hub, "digits")
        transfers.release("digits")
        #expect(await later.answer == .success(HeldDownloads.model("digits")))
    }

    @Test("Unmet conditions fail only the callers that set them")
    func conditions() async {
        transfers.failOnMetered("digits")
        let careful = RecordingCaller(hub, "digits", ModelDownloadConditions(allowsCellularAccess: false))
        let urgent = RecordingCaller(hub, "digits")
        transfers.release("digits")
        #expect(await careful.code == .conditionsNotMet)
        transfers.release("digits")
        #expect(await urgent.answer == .success(HeldDownloads.model("digits")))
    }

    @Test("Cancelling a model's download waits until its thread has ended")
    func cancelDownload() async {
        let caller = RecordingCaller(hub, "digits")
        let other = RecordingCaller(hub, "flowers")
        transfers.waitUntilStarted("digits")
        async let isOver = withCheckedContinuation { continuation in
            DispatchQueue(label: "deleting").async { [transfers, hub] in
                hub.cancelDownload(of: "digits")
                continuation.resume(returning: transfers.ended.contains("digits"))
            }
        }
        #expect(await caller.code == .cancelled, "before the thread has ended")
        transfers.release("digits")
        #expect(await isOver)
        transfers.release("flowers")
        #expect(await other.answer == .success(HeldDownloads.model("flowers")))
    }

    @Test("After the coordinator is closed, present and later callers get the reason")
    func close() async {
        let waiting = RecordingCaller(hub, "digits")
        hub.close(.appDeleted("demo"))
        let late = RecordingCaller(hub, "digits")
        #expect(await waiting.code == .appDeleted)
        #expect(await late.code == .appDeleted)
        late.cancel()
        transfers.release("digits")
        #expect(late.events == ["answer"])
    }

    @Test("Callers on many threads that join and leave get exactly one result each")
    func crowd() async {
        let hub = DownloadCoordinator(
            download: { job, progress in
                for step in 0..<50 where !job.isCancelled { progress(UInt64(step), 49) }
                return job.isCancelled ? .failure(.cancelled(job.name)) : .success(HeldDownloads.model(job.name))
            }, onEvent: { _, _ in })
        let callers = await withTaskGroup { group in
            for thread in 0..<6 {
                group.addTask {
                    var callers: [RecordingCaller] = []
                    for number in 0..<100 {
                        let caller = RecordingCaller(hub, "model \(number % 3)")
                        if (number + thread) % 2 == 0 { caller.cancel() }
                        _ = await caller.answer
                        callers.append(caller)
                    }
                    return callers
                }
            }
            return await group.reduce(into: []) { $0 += $1 }
        }
        #expect(callers.count == 600)
        for caller in callers {
            #expect(caller.events.last == "answer")
            #expect(caller.events.filter { $0 == "answer" }.count == 1)
        }
    }
}

/// Downloads that a test holds and releases one by one.
private final class HeldDownloads: Sendable {
    private struct State {
        var jobs: [DownloadJob] = []
        var ended: [String] = []
        var failures: [String: DownloadFailure.Code] = [:]
        var metered: Set<String> = []
        var gates: [String: (start: DispatchSemaphore, end: DispatchSemaphore)] = [:]
    }

    private let state = Mutex(State())

    func makeHub() -> DownloadCoordinator {
        DownloadCoordinator(download: { job, progress in self.run(job, progress) }, onEvent: { _, _ in })
    }

    var jobs: [DownloadJob] { state.withLock { $0.jobs } }
    var ended: [String] { state.withLock { $0.ended } }

    static func model(_ name: String) -> CustomModel { CustomModel(name: name, size: 4, path: "/\(name)", hash: "") }

    func fail(_ name: String, _ code: DownloadFailure.Code?) { state.withLock { $0.failures[name] = code } }
    func failOnMetered(_ name: String) { state.withLock { _ = $0.metered.insert(name) } }
    func release(_ name: String) { gates(name).end.signal() }

    func waitUntilStarted(_ name: String) {
        let gate = gates(name).start
        gate.wait()
        gate.signal()
    }

    private func gates(_ name: String) -> (start: DispatchSemaphore, end: DispatchSemaphore) {
        state.withLock { state in
            if let known = state.gates[name] { return known }
            let made = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
            state.gates[name] = made
            return made
        }
    }

    private func run(
        _ job: DownloadJob, _ progress: @Sendable (UInt64, UInt64) -> Void
    ) -> Result<CustomModel, DownloadFailure> {
        let (start, end) = gates(job.name)
        state.withLock { $0.jobs.append(job) }
        start.signal()
        end.wait()
        progress(1, 4)
        progress(4, 4)
        return state.withLock { state in
            state.ended.append(job.name)
            if job.isCancelled { return .failure(.cancelled(job.name)) }
            let refused = state.metered.contains(job.name) && !job.conditions.allowsCellularAccess
            if let code = refused ? .conditionsNotMet : state.failures[job.name] {
                return .failure(DownloadFailure(code, "scripted", error: .notFound))
            }
            return .success(Self.model(job.name))
        }
    }
}

/// A caller that records its calls.
private final class RecordingCaller: Sendable {
    private struct State {
        var events: [String] = []
        var answer: Result<CustomModel, DownloadFailure>?
        var continuation: CheckedContinuation<Result<CustomModel, DownloadFailure>, Never>?
        var ticket: Cancellation?
    }

    private let state = Mutex(State())

    init(_ hub: DownloadCoordinator, _ name: String, _ conditions: ModelDownloadConditions = ModelDownloadConditions())
    {
        let caller = DownloadCaller(
            progress: { completed, total in self.add("progress \(completed)/\(total)") },
            completion: { self.end($0) })
        let ticket = hub.join(name, DownloadConditions(conditions), caller)
        state.withLock { $0.ticket = ticket }
    }

    func cancel() { state.withLock { $0.ticket }?.cancel() }

    var events: [String] { state.withLock { $0.events } }

    var answer: Result<CustomModel, DownloadFailure> {
        get async {
            await withCheckedContinuation { continuation in
                let known = state.withLock { state in
                    if state.answer == nil { state.continuation = continuation }
                    return state.answer
                }
                if let known { continuation.resume(returning: known) }
            }
        }
    }

    var code: DownloadFailure.Code? {
        get async {
            if case .failure(let failure) = await answer { failure.code } else { nil }
        }
    }

    private func add(_ event: String) { state.withLock { $0.events.append(event) } }

    private func end(_ result: Result<CustomModel, DownloadFailure>) {
        let continuation = state.withLock { state in
            state.events.append("answer")
            state.answer = result
            return state.continuation.take()
        }
        continuation?.resume(returning: result)
    }
}
