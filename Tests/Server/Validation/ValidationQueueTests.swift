import HearthCatalog
import HearthCrypto
import HearthStorage
import HearthTestSupport
import HearthValidation
import HearthWire
import Synchronization
import Testing

@Suite("The queue of files to check") struct ValidationQueueTests {
    @Test("Every file gets its verdict, with what the probe found")
    func verdicts() throws {
        let bench = try ValidationQueueFixture()
        let good = try bench.upload("good")
        let odd = try bench.upload("odd")
        let bad = try bench.upload("bad")
        #expect(try bench.verdict(good) == .pending)
        bench.scheduler.drain()
        #expect(try bench.verdict(good) == .ok)
        #expect(try bench.verdict(odd) == .unsupported("No operator X."))
        #expect(try bench.verdict(bad) == .malformed("The file ends too early."))
        let known = try #require(try bench.metadata.read { try $0.validation(sha256: good) })
        #expect(known.contractJSON?.contains("inputs") == true && known.finishedMicroseconds != nil)
        #expect(bench.queue.count == 0)
        let audit = try bench.metadata.read { try $0.audit(project: nil, before: nil, limit: 9) }
        #expect(audit.map(\.action) == ["file.check", "file.check", "file.check"])
        #expect(audit.first?.detail == "malformed: The file ends too early.")
    }

    @Test("Only so many checks run at once, and files are taken in order")
    func placesAndOrder() throws {
        var limits = QueueLimits()
        limits.concurrentChecks = 2
        let bench = try ValidationQueueFixture(limits: limits)
        for number in 1...5 { try bench.upload("good \(number)", as: number == 2 ? "project-b" : "project-a") }
        #expect(bench.scheduler.readyCount == 2)
        bench.scheduler.step()
        #expect(bench.scheduler.readyCount == 2)
        bench.scheduler.drain()
        #expect(bench.checker.checked == (1...5).map { "good \($0)" })
    }

    @Test("A project with many files to check keeps no other waiting, after a restart neither")
    func othersTurn() throws {
        let bench = try ValidationQueueFixture()
        for number in 1...20 { try bench.upload("good \(number)", as: "project-a") }
        try bench.upload("innocent", as: "project-b")
        // Both places are taken: by the first of the one, and by the only one of the other.
        #expect(bench.scheduler.readyCount == 2)
        bench.scheduler.step()
        bench.scheduler.step()
        #expect(bench.checker.checked == ["good 1", "innocent"])
        try bench.upload("late", as: "project-c")
        bench.queue.stop {}
        try bench.queue.start()
        bench.scheduler.drain()
        let place = try #require(bench.checker.checked.firstIndex(of: "late"))
        #expect(place < 6, "\(bench.checker.checked)")
        #expect(bench.checker.checked.count == 22)
    }

    @Test("What a server left pending is taken up by the next one, in order")
    func survivesRestart() throws {
        let first = try ValidationQueueFixture(starts: false)
        let hashes = try (1...4).map { try first.upload("good \($0)", as: $0 == 2 ? "project-b" : "project-a") }
        #expect(first.scheduler.readyCount == 0, "nothing begins before the start")
        try first.queue.start()
        first.scheduler.step()
        first.queue.stop {}
        first.scheduler.drain()
        // One was checked before the stop, and made room for the third; what has begun ends.
        #expect(try hashes.map { try first.verdict($0) } == [.ok, .ok, .ok, .pending])
        try first.queue.start()
        first.scheduler.drain()
        #expect(first.checker.checked == (1...4).map { "good \($0)" })
        #expect(try hashes.map { try first.verdict($0) } == [.ok, .ok, .ok, .ok])
    }

    @Test("The same bytes are checked once, however often they come")
    func sameBytes() throws {
        let bench = try ValidationQueueFixture()
        for name in ["a", "b", "c"] { try bench.upload("good", named: name) }
        bench.scheduler.drain()
        try bench.upload("good", named: "d")
        bench.scheduler.drain()
        #expect(bench.checker.checked == ["good"])
    }

    @Test("A malformed file keeps its bytes; uploaded again, it is checked again")
    func malformedAgain() throws {
        let isRipe = Mutex(false)
        let bench = try ValidationQueueFixture(
            ScriptedChecker { _ in
                isRipe.withLock { $0 }
                    ? ProbeReport(verdict: .ok, contract: ScriptedChecker.contract)
                    : ProbeReport(verdict: .malformed, message: "The check took longer than 20 seconds.")
            })
        let hash = try bench.upload("slow")
        bench.scheduler.drain()
        #expect(try bench.verdict(hash) == .malformed("The check took longer than 20 seconds."))
        #expect(try bench.hasBytes(hash))
        isRipe.withLock { $0 = true }
        try bench.upload("slow")
        #expect(try bench.verdict(hash) == .pending)
        bench.scheduler.drain()
        #expect(try bench.verdict(hash) == .ok)
        #expect(try bench.hasBytes(hash))
    }

    @Test("Bytes that are not there make no verdict: the check is tried again")
    func missingBytes() throws {
        var limits = QueueLimits()
        limits.retryPausesSeconds = [1]
        let bench = try ValidationQueueFixture(limits: limits)
        let hash = try bench.upload("good")
        try bench.blobs.remove(try #require(.init(hex: hash)))
        bench.scheduler.drain()
        #expect(try bench.verdict(hash) == .pending)
        bench.scheduler.advance(seconds: 1)
        let known = try bench.metadata.read { try $0.validation(sha256: hash) }
        #expect(known?.verdict == .pending)
        #expect(known?.note == "The uploaded file is not on the server's disk. Upload it again.")
        try bench.upload("good")
        bench.scheduler.drain()
        #expect(try bench.verdict(hash) == .ok)
    }

    @Test("A model that waits is published with the verdict, in the name of who brought the version")
    func publishesWaiting() throws {
        let bench = try ValidationQueueFixture()
        let hash = try bench.upload("good")
        let id = try bench.makeWaitingModel("flowers", hash)
        bench.scheduler.drain()
        let model = try #require(try bench.model(id))
        #expect(model.isPublished && model.releasedVersion == 1 && model.publishWhenValidated == nil)
        let release = try #require(try bench.metadata.read { try $0.releases(model: id) }.first)
        #expect(release.createdBy == "somebody@example")
        let audit = try bench.metadata.read { try $0.audit(project: "project-a", before: nil, limit: 9) }
        #expect(audit.map(\.action) == ["model.publish"])
    }

    @Test("A model that waits for a file that turns out malformed stays unpublished, and waits no more")
    func refusesWaiting() throws {
        let bench = try ValidationQueueFixture()
        let hash = try bench.upload("bad")
        let id = try bench.makeWaitingModel("flowers", hash)
        bench.scheduler.drain()
        let model = try #require(try bench.model(id))
        #expect(!model.isPublished && model.publishWhenValidated == nil)
    }

    @Test("A check that cannot be run is tried again after pauses, then left for later with a note that says so")
    func retries() throws {
        var limits = QueueLimits()
        limits.retryPausesSeconds = [1, 10]
        let bench = try ValidationQueueFixture(
            ScriptedChecker { _ throws(ProbeFailure) in throw ProbeFailure("cannot start the probe") },
            limits: limits)
        let hash = try bench.upload("good")
        bench.scheduler.drain()
        #expect(bench.checker.checked.count == 1)
        #expect(try bench.verdict(hash) == .pending)
        bench.scheduler.advance(seconds: 1)
        #expect(bench.checker.checked.count == 2)
        bench.scheduler.advance(seconds: 9)
        #expect(bench.checker.checked.count == 2)
        bench.scheduler.advance(seconds: 1)
        #expect(bench.checker.checked.count == 3)
        let known = try #require(try bench.metadata.read { try $0.validation(sha256: hash) })
        #expect(known.verdict == .pending)
        #expect(known.note?.hasPrefix("This server could not run its check of the file; its log says why.") == true)
        #expect(try bench.hasBytes(hash))
        #expect(bench.queue.count == 0 && bench.queue.givenUpCount == 1)
        #expect(bench.lines.all.dropLast() == Array(repeating: "validation \(hash): cannot start the probe", count: 3))
        #expect(bench.lines.all.last?.hasPrefix("validation \(hash): given up") == true)
        // Nobody waits for what is not about to come.
        let answers = Recorder<Bool>()
        bench.queue.whenDone(hash, withinSeconds: 60) { answers.add($0) }
        #expect(answers.all == [false])
    }

    @Test("A file that could not be checked is checked when it comes again, and at the next start")
    func checkedLater() throws {
        var limits = QueueLimits()
        limits.retryPausesSeconds = []
        let works = Mutex(false)
        let bench = try ValidationQueueFixture(
            ScriptedChecker { _ throws(ProbeFailure) in
                guard works.withLock({ $0 }) else { throw ProbeFailure("no sandbox") }
                return ProbeReport(verdict: .ok, contract: ScriptedChecker.contract)
            }, limits: limits)
        let first = try bench.upload("first")
        let second = try bench.upload("second")
        let waiting = try bench.makeWaitingModel("flowers", first)
        bench.scheduler.drain()
        #expect(bench.queue.givenUpCount == 2)
        works.withLock { $0 = true }
        try bench.upload("first")
        bench.scheduler.drain()
        let known = try #require(try bench.metadata.read { try $0.validation(sha256: first) })
        #expect(known.verdict == .ok && known.note == nil && bench.queue.givenUpCount == 1)
        #expect(try bench.model(waiting)?.releasedVersion == 1, "the intention to publish was kept")
        bench.queue.stop {}
        try bench.queue.start()
        bench.scheduler.drain()
        #expect(try bench.verdict(second) == .ok)
        #expect(bench.queue.givenUpCount == 0)
    }

    @Test("A file whose check ran out of time is checked again at the next start")
    func outOfTime() throws {
        let isBusy = Mutex(true)
        let bench = try ValidationQueueFixture(
            ScriptedChecker { _ in
                guard isBusy.withLock({ $0 }) else {
                    return ProbeReport(verdict: .ok, contract: ScriptedChecker.contract)
                }
                var report = ProbeReport(verdict: .malformed, message: "The check took longer than 20 seconds.")
                report.ranOutOfTime = true
                return report
            })
        let hash = try bench.upload("slow")
        bench.scheduler.drain()
        #expect(try bench.verdict(hash) == .malformed("The check took longer than 20 seconds."))
        isBusy.withLock { $0 = false }
        bench.queue.stop {}
        try bench.queue.start()
        bench.scheduler.drain()
        #expect(try bench.verdict(hash) == .ok)
    }

    @Test("What a run took, or why there was none, is kept with the verdict")
    func figures() throws {
        let bench = try ValidationQueueFixture(
            ScriptedChecker { _ in
                var report = ProbeReport(verdict: .ok, contract: ScriptedChecker.contract)
                report.figuresNote = "It took too long."
                return report
            })
        let hash = try bench.upload("good")
        bench.scheduler.drain()
        let json = try #require(try bench.metadata.read { try $0.validation(sha256: hash)?.measurementsJSON })
        #expect(try WireJSON.decode(MeasurementReport.self, from: json.utf8).failure == "It took too long.")
    }

    @Test("A check that fails once and then runs leaves no trace")
    func recovers() throws {
        let tries = Mutex(0)
        let bench = try ValidationQueueFixture(
            ScriptedChecker { _ throws(ProbeFailure) in
                let number = tries.withLock {
                    $0 += 1; return $0
                }
                if number == 1 { throw ProbeFailure("no memory") }
                return ProbeReport(verdict: .ok, contract: ScriptedChecker.contract)
            })
        let hash = try bench.upload("good")
        bench.scheduler.drain()
        bench.scheduler.advance(seconds: 1)
        #expect(try bench.verdict(hash) == .ok)
    }
}

@Suite("Files that a disk has damaged") struct DamagedFileTests {
    private let stores: TestStores

    init() throws { stores = try TestStores() }

    @Test("They are not malformed for that: the check is tried again, and nothing is removed")
    func damaged() throws {
        let (blobs, metadata) = (stores.blobs, stores.metadata)
        let scheduler = ManualScheduler()
        var limits = QueueLimits()
        limits.retryPausesSeconds = [1]
        let queue = ValidationQueue(
            metadata: metadata, blobs: blobs, checker: ScriptedChecker(ScriptedChecker.byText), limits: limits,
            scheduler: scheduler, now: { Timestamp(microseconds: 1) }, log: { _ in })
        try queue.start()
        let digest = SHA256Hasher.hash("good".utf8)
        let blob = try blobs.begin(limitBytes: 1000)
        try Array("good".utf8).withUnsafeBytes { try blob.write($0) }
        _ = try blob.seal()
        _ = try queue.admit(
            digest, sizeBytes: 4, project: "project-a", commit: { try blob.commit() }, record: { _ in })
        _ = try stores.folder.write(Array("bad".utf8), to: "blobs/" + digest.hex)
        scheduler.drain()
        #expect(try metadata.read { try $0.validation(sha256: digest.hex)?.verdict } == .pending)
        #expect(try blobs.size(of: digest) == 3)
        _ = try stores.folder.write(Array("good".utf8), to: "blobs/" + digest.hex)
        scheduler.advance(seconds: 1)
        #expect(try metadata.read { try $0.validation(sha256: digest.hex)?.verdict } == .ok)
    }
}
