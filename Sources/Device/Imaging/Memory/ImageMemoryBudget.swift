import Dispatch
import Synchronization

/// A number of bytes that images may take together, however many threads decode them. Each thread has a share; one whose
/// image does not fit beside those of the others waits, and holds nothing meanwhile, neither pixels nor the file: so
/// nobody waits for somebody who waits. An image that is too large for the whole budget is refused.
///
/// Counted is what decoding takes at its peak as the file's header tells it, before it is taken, and from then on the pixels
/// until the share is given back. What `ImageMemory` keeps for the next image is not counted. Any thread.
package final class ImageMemoryBudget: Sendable {
    private struct State {
        var line: MemoryQueue
        var signals: [Int: DispatchSemaphore] = [:]
        var peakByteCount = 0

        mutating func notePeak() { peakByteCount = max(peakByteCount, line.usedByteCount) }
    }

    package let byteCount: Int
    /// What error texts call it.
    let name: String
    private let state: Mutex<State>

    package init(byteCount: Int, name: String) {
        self.byteCount = byteCount
        self.name = name
        state = Mutex(State(line: MemoryQueue(byteCount: byteCount)))
    }

    package var usedByteCount: Int { state.withLock { $0.line.usedByteCount } }
    /// The most that was ever used.
    package var peakByteCount: Int { state.withLock { $0.peakByteCount } }
    /// Threads that wait.
    package var waitingCount: Int { state.withLock { $0.line.waitingCount } }

    /// Blocks until the bytes are there; false where they never will be.
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

    /// Does not wait.
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

/// Who gets how much of a fixed number of bytes, and who waits for some: in the order of asking. Whoever asks for little does
/// not get past one who waits for much and would otherwise wait for ever.
struct MemoryQueue {
    enum Outcome: Hashable {
        case granted
        /// Until `release` names it.
        case queued(id: Int)
        /// More than there is altogether.
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

    /// More for one who has some already and cannot wait with it in hand. False where there is not so much left.
    mutating func tryAcquire(_ count: Int) -> Bool {
        guard count <= byteCount - usedByteCount else { return false }
        usedByteCount += count
        return true
    }

    /// - Returns: who waits no longer, and has what it asked for.
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
