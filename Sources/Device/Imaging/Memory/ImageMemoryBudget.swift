import Dispatch
import HearthConcurrency

/// The number of bytes that images may use together, however many threads decode them. Each thread has a share. A
/// thread whose image does not fit beside those of the others waits. A waiting thread holds no memory, neither pixels
/// nor the file, so threads cannot block each other forever. An image that is too large for the whole budget is
/// rejected.
///
/// The budget counts the peak memory of decoding, which the file's header determines, before it is allocated, and then
/// the pixels until the share is released. It does not count the memory that `ImageMemory` keeps for the next image.
/// Use it from any thread.
package final class ImageMemoryBudget: Sendable {
    private struct State {
        var line: MemoryQueue
        var signals: [Int: DispatchSemaphore] = [:]
        var peakByteCount = 0

        mutating func notePeak() { peakByteCount = max(peakByteCount, line.usedByteCount) }
    }

    package let byteCount: Int
    /// The budget's name in error texts.
    let name: String
    private let state: Lock<State>

    package init(byteCount: Int, name: String) {
        self.byteCount = byteCount
        self.name = name
        state = Lock(State(line: MemoryQueue(byteCount: byteCount)))
    }

    package var usedByteCount: Int { state.withLock { $0.line.usedByteCount } }
    /// The highest use so far.
    package var peakByteCount: Int { state.withLock { $0.peakByteCount } }
    /// The number of waiting threads.
    package var waitingCount: Int { state.withLock { $0.line.waitingCount } }

    /// Blocks until the bytes are free; returns false if they exceed the whole budget.
    func acquire(_ count: Int) -> Bool {
        let (answer, signal) = state.withLock { state -> (MemoryQueue.Outcome, DispatchSemaphore?) in
            let answer = state.line.acquire(for: count)
            state.notePeak()
            guard case .queued(let id) = answer else { return (answer, nil) }
            let signal = DispatchSemaphore(value: 0)
            state.signals[id] = signal
            return (answer, signal)
        }
        signal?.wait()
        return answer != .exceedsTotal
    }

    /// Returns false instead of waiting.
    func tryAcquire(_ count: Int) -> Bool {
        state.withLock { state in
            defer { state.notePeak() }
            return state.line.tryAcquire(count)
        }
    }

    func release(_ count: Int) {
        let signals = state.withLock { state in
            let granted = state.line.release(count)
            state.notePeak()
            return granted.compactMap { state.signals.removeValue(forKey: $0) }
        }
        for signal in signals { signal.signal() }
    }
}

/// Distributes a fixed number of bytes, in the order of the requests. A small request does not overtake a large one,
/// which could otherwise wait forever.
struct MemoryQueue {
    enum Outcome: Hashable {
        case granted
        /// Waits until `release` returns its id.
        case queued(id: Int)
        /// The request exceeds the whole number of bytes.
        case exceedsTotal
    }

    let byteCount: Int
    private(set) var usedByteCount = 0
    private var waiting: [(id: Int, byteCount: Int)] = []
    private var lastID = 0

    init(byteCount: Int) { self.byteCount = byteCount }

    var waitingCount: Int { waiting.count }

    mutating func acquire(for count: Int) -> Outcome {
        guard count <= byteCount else { return .exceedsTotal }
        if waiting.isEmpty, count <= byteCount - usedByteCount {
            usedByteCount += count
            return .granted
        }
        lastID += 1
        waiting.append((lastID, count))
        return .queued(id: lastID)
    }

    /// Adds bytes for a user that already has some and so must not wait. Returns false if they are not free.
    mutating func tryAcquire(_ count: Int) -> Bool {
        guard count <= byteCount - usedByteCount else { return false }
        usedByteCount += count
        return true
    }

    /// - Returns: The ids of the requests that are now granted.
    mutating func release(_ count: Int) -> [Int] {
        usedByteCount -= count
        var granted: [Int] = []
        while let first = waiting.first, first.byteCount <= byteCount - usedByteCount {
            waiting.removeFirst()
            usedByteCount += first.byteCount
            granted.append(first.id)
        }
        return granted
    }
}
