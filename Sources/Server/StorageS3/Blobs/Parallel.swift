import Dispatch
import Foundation
import HearthConcurrency
import HearthStorage

/// Many small requests, a few at a time, because each waits for the store.
enum Parallel {
    private static let threads = 4

    /// Runs `body` for each item. The first error ends the work, and is thrown when the running calls have ended.
    static func forEach<Item: Sendable>(
        _ items: [Item], _ body: @escaping @Sendable (Item) throws(StorageError) -> Void
    ) throws(StorageError) {
        _ = try count(items) { item throws(StorageError) in
            try body(item)
            return true
        }
    }

    /// Runs `body` for each item. Returns how often it was true.
    static func count<Item: Sendable>(
        _ items: [Item], _ body: @escaping @Sendable (Item) throws(StorageError) -> Bool
    ) throws(StorageError) -> Int {
        let work = Work(items.count)
        if items.count < 2 {
            work.run { number throws(StorageError) in try body(items[number]) }
        } else {
            let group = DispatchGroup()
            for _ in 0..<min(threads, items.count) {
                group.enter()
                // Threads of their own: those of a queue are as many as processors, and these only wait.
                Thread.detachNewThread {
                    work.run { number throws(StorageError) in try body(items[number]) }
                    group.leave()
                }
            }
            group.wait()
        }
        return try work.result()
    }

    private final class Work: Sendable {
        private struct State {
            var next = 0
            var count = 0
            var failure: StorageError?
        }

        private let state = Lock(State())
        private let total: Int

        init(_ total: Int) { self.total = total }

        func run(_ body: (Int) throws(StorageError) -> Bool) {
            while let number = take() {
                do {
                    let isCounted = try body(number)
                    state.withLock { $0.count += isCounted ? 1 : 0 }
                } catch {
                    state.withLock { $0.failure = $0.failure ?? error }
                }
            }
        }

        private func take() -> Int? {
            state.withLock { state in
                guard state.failure == nil, state.next < total else { return nil }
                state.next += 1
                return state.next - 1
            }
        }

        func result() throws(StorageError) -> Int {
            let (count, failure) = state.withLock { ($0.count, $0.failure) }
            if let failure { throw failure }
            return count
        }
    }
}
