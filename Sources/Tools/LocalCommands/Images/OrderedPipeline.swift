import Dispatch
import Foundation
import HearthConcurrency

/// Processes items with several threads, and emits the results in the order of the items.
///
/// At most `window` items are taken and not yet emitted, even if the oldest of them is slow. So the memory depends on the
/// window, not on the number of items.
struct OrderedPipeline<Item: Sendable, Output: Sendable>: Sendable {
    /// Does the work of one thread.
    typealias Work = (Item) -> Output

    let workerCount: Int
    let window: Int

    /// - Parameters:
    ///   - workerCount: the number of threads, including the calling one.
    ///   - window: at least `workerCount`; by default large enough that one slow item seldom stops the others.
    init(workerCount: Int, window: Int? = nil) {
        self.workerCount = max(1, workerCount)
        self.window = max(self.workerCount, window ?? self.workerCount * 8)
    }

    /// Runs until there are no more items or the run is cancelled. Items taken before that are still processed and emitted.
    ///
    /// - Parameters:
    ///   - cancellation: ends the run early. Any thread may cancel it.
    ///   - next: the next item, nil at the end. Called by one thread at a time.
    ///   - makeWork: makes the work of a thread, on that thread; 0 is the calling one. Nil leaves the thread out.
    ///   - emit: gets the results in order. Called by one thread at a time.
    func run(
        cancellation: Cancellation, next: @escaping @Sendable () -> Item?,
        makeWork: @escaping @Sendable (_ worker: Int) -> Work?, emit: @escaping @Sendable (Output) -> Void
    ) {
        let belt = SharedState(window: window, cancellation: cancellation, next: next, emit: emit)
        let others = DispatchGroup()
        for worker in 1..<workerCount {
            others.enter()
            Thread {
                if let work = makeWork(worker) { belt.process(work) }
                others.leave()
            }.start()
        }
        if let work = makeWork(0) { belt.process(work) }
        others.wait()
    }

    /// The shared state of the threads.
    private final class SharedState: Sendable {
        private struct Source {
            var takenCount = 0
            var isExhausted = false
        }

        private struct Results {
            var emittedCount = 0
            /// Results that wait for an earlier one.
            var waiting: [Int: Output] = [:]
        }

        private let places: DispatchSemaphore
        private let cancellation: Cancellation
        private let next: @Sendable () -> Item?
        private let emit: @Sendable (Output) -> Void
        private let source = Lock(Source())
        private let results = Lock(Results())

        init(
            window: Int, cancellation: Cancellation, next: @escaping @Sendable () -> Item?,
            emit: @escaping @Sendable (Output) -> Void
        ) {
            places = DispatchSemaphore(value: 0)
            // A semaphore must not end below its initial value, which can happen if the work ends early.
            for _ in 0..<window { places.signal() }
            self.cancellation = cancellation
            self.next = next
            self.emit = emit
        }

        func process(_ work: Work) {
            while let (number, item) = take() { emitInOrder(work(item), number) }
        }

        private func take() -> (Int, Item)? {
            // Wait before taking the lock: a thread with the lock must not depend on the progress of others.
            places.wait()
            let taken = source.withLock { source -> (Int, Item)? in
                guard !source.isExhausted, !cancellation.isCancelled, let item = next() else {
                    source.isExhausted = true
                    return nil
                }
                defer { source.takenCount += 1 }
                return (source.takenCount, item)
            }
            if taken == nil { places.signal() }
            return taken
        }

        private func emitInOrder(_ result: Output, _ number: Int) {
            results.withLock { results in
                results.waiting[number] = result
                while let next = results.waiting.removeValue(forKey: results.emittedCount) {
                    emit(next)
                    results.emittedCount += 1
                    places.signal()
                }
            }
        }
    }
}
