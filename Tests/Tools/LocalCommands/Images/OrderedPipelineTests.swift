import Dispatch
import HearthConcurrency
import Synchronization
import Testing

@testable import HearthLocalCommands

@Suite struct OrderedPipelineTests {
    /// Items 0, 1, 2 ... and what came of them.
    private final class Ledger: Sendable {
        private let next: Atomic<Int>
        private let count: Int
        private let results = Mutex<[Int]>([])

        init(count: Int) {
            self.count = count
            next = Atomic(0)
        }

        var taken: Int { next.load(ordering: .relaxed) }
        var emitted: [Int] { results.withLock { $0 } }

        func take() -> Int? {
            let item = next.load(ordering: .relaxed)
            guard item < count else { return nil }
            next.store(item + 1, ordering: .relaxed)
            return item
        }

        func emit(_ item: Int) { results.withLock { $0.append(item) } }
    }

    @Test(arguments: [1, 2, 3, 8])
    func resultsComeInTheOrderOfTheItems(workers: Int) {
        let ledger = Ledger(count: 500)
        OrderedPipeline<Int, Int>(workerCount: workers).run(
            cancellation: Cancellation(), next: { ledger.take() },
            makeWork: { _ in
                { item in
                    // Unequal work, so that threads overtake each other.
                    (0..<((item * 7919) % 400)).reduce(item) { sum, _ in sum &* 1 }
                }
            },
            emit: { ledger.emit($0) })
        #expect(ledger.emitted == Array(0..<500))
    }

    /// The first item ends only after the others have come as far as they can.
    @Test func aSlowItemHoldsUpNoMoreThanTheWindow() {
        let ledger = Ledger(count: 100)
        let othersAreDone = DispatchSemaphore(value: 0)
        let finished = Atomic(0)
        OrderedPipeline<Int, Int>(workerCount: 3, window: 10).run(
            cancellation: Cancellation(), next: { ledger.take() },
            makeWork: { _ in
                { item in
                    if item == 0 {
                        othersAreDone.wait()
                        // 9 others fill the window; the tenth may not be taken.
                        #expect(ledger.taken == 10)
                        #expect(ledger.emitted.isEmpty)
                    } else if finished.add(1, ordering: .relaxed).newValue == 9 {
                        othersAreDone.signal()
                    }
                    return item
                }
            },
            emit: { ledger.emit($0) })
        #expect(ledger.emitted == Array(0..<100))
    }

    @Test func cancellingHandsOnWhatWasTakenAndTakesNoMore() {
        let ledger = Ledger(count: .max)
        let cancellation = Cancellation()
        OrderedPipeline<Int, Int>(workerCount: 4).run(
            cancellation: cancellation, next: { ledger.take() },
            makeWork: { _ in
                { item in
                    if item == 50 { cancellation.cancel() }
                    return item
                }
            },
            emit: { ledger.emit($0) })
        #expect(ledger.emitted == Array(0..<ledger.taken))
        #expect(ledger.taken >= 51 && ledger.taken < 51 + 32)
    }

    @Test func cancellingFromTheResultsEndsTheRun() {
        let ledger = Ledger(count: .max)
        let cancellation = Cancellation()
        OrderedPipeline<Int, Int>(workerCount: 2).run(
            cancellation: cancellation, next: { ledger.take() }, makeWork: { _ in { $0 } },
            emit: {
                ledger.emit($0)
                if $0 == 10 { cancellation.cancel() }
            })
        #expect(ledger.emitted.prefix(11) == Array(0...10)[...])
    }

    /// A thread whose work cannot be made leaves it to the others.
    @Test func aThreadThatIsLeftOutIsNotMissed() {
        let ledger = Ledger(count: 20)
        OrderedPipeline<Int, Int>(workerCount: 3).run(
            cancellation: Cancellation(), next: { ledger.take() }, makeWork: { worker in worker == 0 ? { $0 } : nil },
            emit: { ledger.emit($0) })
        #expect(ledger.emitted == Array(0..<20))
    }

    @Test func nothingToDoIsDone() {
        let ledger = Ledger(count: 0)
        OrderedPipeline<Int, Int>(workerCount: 2).run(
            cancellation: Cancellation(), next: { ledger.take() }, makeWork: { _ in { $0 } },
            emit: { ledger.emit($0) })
        #expect(ledger.emitted.isEmpty)
    }
}
