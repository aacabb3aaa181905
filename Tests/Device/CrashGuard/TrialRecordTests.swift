import Testing

@testable import HearthCrashGuard

@Suite("The rules by which a version is rejected")
struct TrialRecordTests {
    private typealias Life = TrialRecord.Life

    private static let death = TrialRecord.Life(isRunning: true)

    private func crash(after runs: Int = 0) -> TrialRecord.Life {
        TrialRecord.Life(successes: runs, isRunning: true, crashSignal: 11)
    }

    /// A version that has passed its trial.
    private func trusted() -> TrialRecord {
        var record = TrialRecord()
        _ = record.add(Life(successes: TrialRecord.longRunLimit))
        return record
    }

    @Test("Three processes in a row that die before a first result reject it")
    func threeDeaths() {
        var record = TrialRecord()
        #expect(record.add(Self.death) == nil)
        #expect(record.add(Self.death) == nil)
        #expect(record.add(Self.death) == .deaths)
    }

    @Test("A result in between begins the count again, also one of a process that still lives")
    func successResets() {
        var record = TrialRecord()
        for _ in 0..<2 { #expect(record.add(Self.death) == nil) }
        #expect(record.add(Life(successes: 1)) == nil)
        for _ in 0..<2 { #expect(record.add(Self.death) == nil) }
        #expect(record.add(Self.death, living: 1) == nil)
        #expect(record.add(Self.death, living: 1) == nil)
        #expect(record.add(Self.death, living: 1) == .deaths, "the same result does not count twice")
    }

    @Test("A process that ends in order, outside of a run, or after a result does not count")
    func harmlessEnds() {
        var record = TrialRecord()
        for _ in 0..<20 {
            #expect(record.add(Life(isRunning: true, isOrderly: true)) == nil)
            #expect(record.add(Life()) == nil)
        }
        #expect(record.deaths == 0 && !record.isTrialEnded)
        #expect(record.add(Life(successes: 1, isRunning: true)) == nil)
        #expect(record.deaths == 0)
    }

    @Test("The trial ends after three runs in two processes, or a hundred runs")
    func trialEnds() {
        var record = TrialRecord()
        _ = record.add(Life(successes: 99))
        #expect(!record.isTrialEnded && record.recordedRuns == 1)
        _ = record.add(Life(successes: 1))
        #expect(record.isTrialEnded && record.recordedRuns == 0)
        #expect(trusted().isTrialEnded)
        var living = TrialRecord()
        #expect(living.add(Self.death, living: 100) == nil)
        #expect(living.isTrialEnded)
    }

    @Test("After the trial, deaths never reject")
    func deathsAfterTrial() {
        var record = trusted()
        for _ in 0..<100 { #expect(record.add(Self.death) == nil) }
        #expect(record == trusted())
    }

    @Test("Two crashes reject it, on trial and after it")
    func twoCrashes() {
        for start in [TrialRecord(), trusted()] {
            var record = start
            #expect(record.add(crash(after: 50)) == nil)
            #expect(record.recordedRuns >= TrialRecord.runsAfterCrash)
            #expect(record.add(crash(after: 50)) == .crashes)
        }
    }

    @Test("A crash is forgiven after 1,000 good runs, the next one after 2,000, and so on")
    func forgiven() {
        var record = trusted()
        for crashes in 0..<5 {
            let span = TrialRecord.runsAfterCrash << crashes
            #expect(record.add(crash()) == nil)
            #expect(record.recordedRuns == span)
            // In many processes, most of which somebody kills.
            for _ in 0..<10 { #expect(record.add(Life(successes: span / 10, isRunning: true)) == nil) }
            #expect(record.runsSinceCrash == nil && record.recordedRuns == 0)
        }
        #expect(record.add(crash()) == nil)
        #expect(record.add(crash(after: 31_999)) == .crashes)
    }

    @Test("A version that crashes at every 10,000th run of a process is rejected in the end")
    func rareButSure() {
        var record = trusted()
        var count = 0
        repeat { count += 1 } while record.add(crash(after: 10_000)) == nil
        #expect(count == 6)
    }

    @Test("A version that crashes once in a million runs stays at first")
    func oneInAMillion() {
        var record = trusted()
        for _ in 0..<8 {
            #expect(record.add(crash(after: 1_000_000)) == nil)
        }
    }
}
