import Testing

@testable import HearthDelivery

@Suite("The record of a model")
struct ModelRecordTests {
    private let old = CustomModel(name: "digits", size: 1, path: "/old", hash: "a")
    private let new = CustomModel(name: "digits", size: 2, path: "/new", hash: "b")
    private let offline = DownloadFailure(.cannotConnect, "offline", error: .failedPrecondition, isTemporary: true)

    private func record(_ installed: CustomModel?) -> ModelRecord {
        var record = ModelRecord()
        record.recordLookup(.success(installed.map { .installed($0) } ?? .missing), of: "digits")
        return record
    }

    @Test("A first download: absent, downloading with its progress, ready")
    func first() {
        var record = record(nil)
        #expect(record.state == .absent)
        record.started(1)
        #expect(record.state == .downloading(fraction: 0))
        record.received(0.5, by: 1)
        #expect(record.state == .downloading(fraction: 0.5))
        record.ended(1, .success(new))
        #expect(record.state == .ready(new))
    }

    @Test("An update shows when its first bytes arrive: a check that finds nothing new shows nothing")
    func update() {
        var record = record(old)
        record.started(1)
        #expect(record.state == .ready(old))
        record.ended(1, .success(old))
        #expect(record.state == .ready(old))
        record.started(2)
        record.received(0.25, by: 2)
        #expect(record.state == .updating(old, fraction: 0.25))
        record.ended(2, .success(new))
        #expect(record.state == .ready(new))
    }

    @Test("A failure keeps the installed copy; the next success clears it")
    func failure() {
        var record = record(old)
        record.started(1)
        record.received(0.25, by: 1)
        record.ended(1, .failure(offline))
        #expect(record.state == .failed(offline, installed: old))
        #expect(record.state.model == old)
        record.started(2)
        record.ended(2, .success(old))
        #expect(record.state == .ready(old))
    }

    @Test("A cancelled download does not count as a failure")
    func cancelled() {
        var record = record(nil)
        record.started(1)
        record.abandoned(1)
        #expect(record.state == .absent)
        record.ended(1, .failure(.cancelled("digits")))
        #expect(record.state == .absent)
    }

    @Test("Unmet conditions of an update are not a failure; without a copy they are")
    func conditions() {
        let failure = DownloadFailure(.conditionsNotMet, "metered", error: .failedPrecondition)
        var ready = record(old)
        ready.started(1)
        ready.ended(1, .failure(failure))
        #expect(ready.state == .ready(old))
        var absent = record(nil)
        absent.started(1)
        absent.ended(1, .failure(failure))
        #expect(absent.state == .failed(failure, installed: nil))
    }

    @Test("A replaced download affects the state only by what it installed")
    func superseded() {
        var record = record(nil)
        record.started(1)
        record.abandoned(1)
        record.started(2)
        record.received(0.9, by: 1)
        #expect(record.state == .downloading(fraction: 0))
        record.ended(1, .failure(offline))
        #expect(record.state == .downloading(fraction: 0))
        record.ended(1, .success(old))
        record.received(0.1, by: 2)
        #expect(record.state == .updating(old, fraction: 0.1))
    }

    @Test("A damaged copy shows until a whole one is there")
    func damaged() {
        var record = record(old)
        record.recordLookup(.success(.damaged(previous: nil)), of: "digits")
        #expect(record.state == .failed(.damaged("digits"), installed: nil))
        record.started(1)
        #expect(record.state == .downloading(fraction: 0))
        record.ended(1, .failure(offline))
        #expect(record.state == .failed(.damaged("digits"), installed: nil))
        record.recordLookup(.success(.installed(new)), of: "digits")
        #expect(record.state == .ready(new), "another program downloaded it")
    }

    @Test("A copy that does not load shows with the version that replaced it, until another one is installed")
    func reject() {
        let failure = DownloadFailure.unusable("digits", reason: "no such operator", hasPrevious: true)
        var record = record(new)
        record.reject(failure, previous: old)
        #expect(record.state == .failed(failure, installed: old))
        record.recordLookup(.success(.installed(old)), of: "digits")
        #expect(record.state == .failed(failure, installed: old), "a lookup in the store changes nothing")
        let busy = DownloadFailure(.storeFailed, "busy", error: .failedPrecondition)
        record.recordLookup(.failure(busy), of: "digits")
        record.recordLookup(.success(.installed(old)), of: "digits")
        #expect(record.state == .failed(failure, installed: old), "nor does a failed lookup")
        record.deleted()
        #expect(record.state == .absent)
    }
}
