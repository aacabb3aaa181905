import HearthCatalog
import HearthCrypto
import HearthStorage
import HearthValidation
import HearthWire
import HearthWork
import Testing

@Suite("Waiting for a verdict") struct WaitingTests {
    private let stores: TestStores

    init() throws { stores = try TestStores() }

    @Test("Whoever waits hears of the verdict, once")
    func hears() throws {
        let bench = try ValidationQueueFixture()
        let hash = try bench.upload("good")
        let answers = Recorder<Bool>()
        for _ in 1...3 { bench.queue.whenDone(hash, withinSeconds: 5, answers.add) }
        #expect(answers.all.isEmpty)
        bench.scheduler.drain()
        #expect(answers.all == [true, true, true])
        bench.scheduler.advance(seconds: 60)
        #expect(answers.all == [true, true, true])
    }

    @Test("A verdict that is there is told at once, and so is that nothing is known")
    func atOnce() throws {
        let bench = try ValidationQueueFixture()
        let hash = try bench.upload("bad")
        bench.scheduler.drain()
        let answers = Recorder<Bool>()
        bench.queue.whenDone(hash, withinSeconds: 5, answers.add)
        bench.queue.whenDone(String(repeating: "0", count: 64), withinSeconds: 5, answers.add)
        #expect(answers.all == [true, true])
    }

    @Test("Whoever waits long enough is let go, and the check goes on")
    func limit() throws {
        let bench = try ValidationQueueFixture(starts: false)
        let hash = try bench.upload("good")
        let answers = Recorder<Bool>()
        bench.queue.whenDone(hash, withinSeconds: 5, answers.add)
        #expect(answers.all == [false], "a queue that does not run is not waited for")
        try bench.queue.start()
        bench.queue.whenDone(hash, withinSeconds: 0, answers.add)
        #expect(answers.all == [false, false])
        bench.scheduler.drain()
        #expect(try bench.verdict(hash) == .ok)
        let waiting = try ValidationQueueFixture(
            ScriptedChecker { text throws(ProbeFailure) in throw ProbeFailure("busy") })
        let slow = try waiting.upload("good")
        waiting.queue.whenDone(slow, withinSeconds: 0.5, answers.add)
        waiting.scheduler.drain()
        #expect(answers.all == [false, false])
        waiting.scheduler.advance(seconds: 0.5)
        #expect(answers.all == [false, false, false])
        #expect(try waiting.verdict(slow) == .pending)
    }

    @Test("A stop lets everybody go, begins nothing, and is over when the checks under way are")
    func stop() throws {
        let bench = try ValidationQueueFixture()
        let hashes = try (1...4).map { try bench.upload("good \($0)", as: $0 == 2 ? "project-b" : "project-a") }
        let answers = Recorder<Bool>()
        for hash in hashes { bench.queue.whenDone(hash, withinSeconds: 5, answers.add) }
        let idle = Recorder<Bool>()
        bench.queue.stop { idle.add(true) }
        #expect(answers.all == [false, false, false, false])
        #expect(idle.all.isEmpty)
        bench.scheduler.step()
        #expect(idle.all.isEmpty)
        bench.scheduler.drain()
        #expect(idle.all == [true])
        #expect(try hashes.map { try bench.verdict($0) } == [.ok, .ok, .pending, .pending])
        let late = try bench.upload("late")
        bench.scheduler.drain()
        #expect(try bench.verdict(late) == .pending)
    }

    @Test("A stop with nothing to do is over at once")
    func idleStop() throws {
        let idle = Recorder<Bool>()
        try ValidationQueueFixture().queue.stop { idle.add(true) }
        #expect(idle.all == [true])
    }

    @Test("Uploads, waits and checks from many threads end in one verdict each")
    func manyThreads() async throws {
        let (blobs, metadata) = (stores.blobs, stores.metadata)
        try metadata.write { try $0.insert(Project(id: "project-a", number: 1, createdMicroseconds: 0)) }
        let checker = ScriptedChecker(ScriptedChecker.byText)
        let queue = ValidationQueue(
            metadata: metadata, blobs: blobs, checker: checker, scheduler: DispatchScheduler(label: "test"),
            now: { .init(microseconds: 1) }, log: { _ in })
        try queue.start()
        let answers = await withTaskGroup(of: Bool.self) { group in
            for number in 0..<200 {
                group.addTask {
                    await withCheckedContinuation { (reply: CheckedContinuation<Bool, Never>) in
                        let text = number.isMultiple(of: 3) ? "bad" : "good \(number % 5)"
                        do {
                            let hash = try Self.upload(text, to: queue, blobs)
                            queue.whenDone(hash, withinSeconds: 60) { reply.resume(returning: $0) }
                        } catch {
                            reply.resume(returning: false)
                        }
                    }
                }
            }
            return await group.reduce(into: [Bool]()) { $0.append($1) }
        }
        // A malformed file may be asked for anew while somebody is told of its verdict; all others are checked once.
        #expect(answers.count == 200)
        #expect(Set(checker.checked.filter { $0 != "bad" }).count == checker.checked.filter { $0 != "bad" }.count)
        await withCheckedContinuation { (reply: CheckedContinuation<Void, Never>) in queue.stop { reply.resume() } }
        let details = try metadata.read { try $0.audit(project: nil, before: nil, limit: 1000).map(\.detail) }
        #expect(Set(details) == ["ok", "malformed: The file ends too early."])
    }

    private static func upload(_ text: String, to queue: ValidationQueue, _ blobs: any BlobStore) throws -> String {
        let blob = try blobs.begin(limitBytes: 1000)
        try Array(text.utf8).withUnsafeBytes { try blob.write($0) }
        let digest = SHA256Hasher.hash(text.utf8)
        _ = try blob.seal()
        _ = try queue.admit(digest, sizeBytes: blob.size, project: "project-a", commit: { try blob.commit() }) { _ in }
        return digest.hex
    }
}
