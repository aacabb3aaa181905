import Glibc
import Testing

@testable import HearthWork

@Suite("Threads for pieces of work") struct ThreadSchedulerTests {
    @Test("Work that yields to others has a lower priority than the thread that asks for it", arguments: [false, true])
    func priority(yields: Bool) async {
        let own = Self.niceness
        let found = await withCheckedContinuation { answer in
            ThreadScheduler(label: "test", yieldsToOthers: yields).run { answer.resume(returning: Self.niceness) }
        }
        #expect(yields ? found > own : found == own)
    }

    @Test("Usual work that such work asks for has the usual priority")
    func inheritance() async {
        let own = Self.niceness
        let usual: [any WorkScheduler] = [
            ThreadScheduler(label: "usual"), DispatchScheduler(label: "queue", isSerial: true),
            DispatchScheduler(label: "queue"),
        ]
        let lower = ThreadScheduler(label: "lower", yieldsToOthers: true)
        for scheduler in usual {
            for _ in 1...20 {
                let found = await withCheckedContinuation { answer in
                    lower.run { scheduler.run { answer.resume(returning: Self.niceness) } }
                }
                #expect(found == own)
            }
        }
    }

    private static var niceness: Int32 { getpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0) }
}
