import HearthMaintenance
import HearthStorage
import HearthTestSupport
import HearthWire
import HearthWork
import Synchronization
import Testing

@Suite("When maintenance runs") struct MaintenanceTaskTests {
    /// Keeps the work until the test wants it.
    private final class Scheduler: WorkScheduler {
        private let work = Mutex<[(seconds: Double, body: @Sendable () -> Void)]>([])

        func run(_ body: @escaping @Sendable () -> Void) { run(afterSeconds: 0, body) }

        func run(afterSeconds seconds: Double, _ body: @escaping @Sendable () -> Void) {
            work.withLock { $0.append((seconds, body)) }
        }

        /// Does the next piece of work and says how long it was to wait.
        func step() -> Double? {
            let next = work.withLock { $0.isEmpty ? nil : $0.removeFirst() }
            next?.body()
            return next?.seconds
        }
    }

    private final class Lines: Sendable {
        private let all = Mutex<[String]>([])
        var list: [String] { all.withLock { $0 } }
        func add(_ line: String) { all.withLock { $0.append(line) } }
    }

    @Test("At the start, then every hour, and not after a stop; a line says what was removed")
    func rounds() throws {
        let bench = try MaintenanceFixture()
        let scheduler = Scheduler()
        let lines = Lines()
        let timer = PeriodicTask(
            bench.maintenance(), scheduler: scheduler, note: lines.add, failure: { Issue.record("\($0)") })
        try bench.store("orphan")
        timer.start()
        #expect(scheduler.step() == 0)
        #expect(lines.list.count == 1 && lines.list.first?.contains("moved to the trash: files 1;") == true)
        #expect(scheduler.step() == 3600)
        #expect(lines.list.count == 1, "a round that finds nothing is silent")
        try bench.store("orphan")
        let stops = Lines()
        timer.stop { stops.add("stopped") }
        #expect(stops.list == ["stopped"])
        #expect(scheduler.step() == 3600)
        #expect(scheduler.step() == nil)
        #expect(lines.list.count == 1)
    }

    @Test("After a first start the first round comes after the pause")
    func firstStart() throws {
        let bench = try MaintenanceFixture()
        let scheduler = Scheduler()
        let timer = PeriodicTask(
            bench.maintenance(), scheduler: scheduler, note: { _ in }, failure: { Issue.record("\($0)") })
        timer.start(afterPause: true)
        #expect(scheduler.step() == 3600)
    }

    @Test("Too many removals at once are logged as a failure that says what to do")
    func deferred() throws {
        let bench = try MaintenanceFixture()
        let scheduler = Scheduler()
        let lines = Lines()
        for number in 0...20 { try bench.store("orphan \(number)") }
        let timer = PeriodicTask(
            bench.maintenance(), scheduler: scheduler, note: { Issue.record("\($0)") }, failure: lines.add)
        timer.start()
        #expect(scheduler.step() == 0)
        let line = try #require(lines.list.first)
        #expect(line.contains("21 of 21 model files that no record names"))
        #expect(line.contains("hearth admin clean --confirm 21"))
    }

    @Test("A failed round is logged, and the next one still runs")
    func failing() throws {
        let bench = try MaintenanceFixture()
        let scheduler = Scheduler()
        let lines = Lines()
        let maintenance = Maintenance(
            metadata: bench.metadata, blobs: bench.blobs, blobLock: bench.blobLock,
            limits: MaintenanceRules.Limits(unusedUploadDays: 30, uploadSessionDays: 7),
            backupLock: bench.folder.path + "/no folder/backup.lock",
            now: { Timestamp(microseconds: MaintenanceFixture.now) })
        let timer = PeriodicTask(maintenance, scheduler: scheduler, pauseSeconds: 5, note: { _ in }, failure: lines.add)
        timer.start()
        #expect(scheduler.step() == 0)
        #expect(lines.list.first?.hasPrefix("maintenance: ") == true)
        #expect(scheduler.step() == 5)
    }
}
