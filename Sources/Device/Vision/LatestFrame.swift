import Dispatch
import Synchronization

/// Works on frames of a camera or a video as fast as it can, and never on an old one.
///
/// While one frame is worked on, only the newest of those offered meanwhile waits; any other is dropped. So the last frame
/// that was offered is always answered. It serves labelers and detectors alike:
///
/// ```swift
/// let frames = LatestFrame { (image: VisionImage) in
///     try labeler.results(in: image)
/// } deliver: { image, labels in
///     print((try? labels.get().first?.text) ?? "nothing")
/// }
/// camera.onFrame = { frames.offer(VisionImage(buffer: $0)) }
/// await frames.finish()  // before the program ends
/// ```
///
/// Use it from any thread. It holds no thread while it has no frame, and keeps itself alive while it has one.
public final class LatestFrame<Frame: Sendable, Answer: Sendable>: Sendable {
    private struct State {
        var isWorking = false
        var isStopped = false
        var waiting: Frame?
        var droppedCount = 0
        /// Called when nothing is worked on any more.
        var waiters: [@Sendable () -> Void] = []
    }

    private let state = Mutex(State())
    private let queue = DispatchQueue(label: "app.hearth.latest-frame")
    /// Tells the queue's own thread from others.
    private let isOwnThread = DispatchSpecificKey<Bool>()
    private let work: @Sendable (Frame) throws -> Answer
    private let deliver: @Sendable (Frame, Result<Answer, any Error>) -> Void

    /// - Parameters:
    ///   - work: What is done with a frame. It may block; one frame at a time, in the order in which they were offered.
    ///   - deliver: Gets each frame that was worked on with its answer, or with what `work` threw. It is called where
    ///     `work` was: the next frame begins when it returns.
    public init(
        work: @escaping @Sendable (Frame) throws -> Answer,
        deliver: @escaping @Sendable (Frame, Result<Answer, any Error>) -> Void
    ) {
        self.work = work
        self.deliver = deliver
        queue.setSpecific(key: isOwnThread, value: true)
    }

    /// How many frames were offered and never worked on.
    public var droppedCount: Int { state.withLock { $0.droppedCount } }

    /// Hands a frame over and returns at once. It takes the place of a frame that waits.
    public func offer(_ frame: Frame) {
        let begins = state.withLock { state in
            guard !state.isStopped else {
                state.droppedCount += 1
                return false
            }
            guard state.isWorking else {
                state.isWorking = true
                return true
            }
            if state.waiting != nil { state.droppedCount += 1 }
            state.waiting = frame
            return false
        }
        if begins { answer(frame) }
    }

    /// Drops the frame that waits, and all that are offered from now on. The frame that is being worked on is still
    /// answered; ``finish()`` waits for it.
    public func stop() {
        state.withLock { state in
            state.isStopped = true
            if state.waiting != nil { state.droppedCount += 1 }
            state.waiting = nil
        }
    }

    /// Takes no frame any more, and returns when the last that was offered before is answered: `deliver` has returned then.
    ///
    /// Frames that are offered from now on are dropped. Ending the task does not end the waiting.
    public func finish() async {
        await withCheckedContinuation { continuation in
            end { continuation.resume() }
        }
    }

    /// The same for code that is not async: blocks its thread. Called by `work` or `deliver` itself, it does not wait.
    @available(*, noasync, message: "use await finish()")
    public func waitUntilFinished() {
        let isFinished = DispatchSemaphore(value: 0)
        end { isFinished.signal() }
        guard DispatchQueue.getSpecific(key: isOwnThread) == nil else { return }
        isFinished.wait()
    }

    /// Takes no frame any more, and calls `completion` once when nothing is worked on, now or later.
    private func end(_ completion: @escaping @Sendable () -> Void) {
        let isWorking = state.withLock { state in
            state.isStopped = true
            if state.isWorking { state.waiters.append(completion) }
            return state.isWorking
        }
        if !isWorking { completion() }
    }

    private func answer(_ frame: Frame) {
        queue.async {
            self.deliver(frame, Result { try self.work(frame) })
            if let next = self.next() { self.answer(next) }
        }
    }

    /// Takes the frame that waits; without one the work is done, and whoever waits for that is told.
    private func next() -> Frame? {
        let (next, waiters) = state.withLock { state in
            let next = state.waiting
            state.waiting = nil
            state.isWorking = next != nil
            guard next == nil else { return (next, [@Sendable () -> Void]()) }
            defer { state.waiters = [] }
            return (next, state.waiters)
        }
        for waiter in waiters { waiter() }
        return next
    }
}
