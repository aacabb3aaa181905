import Dispatch
import HearthConcurrency

/// Works on the frames of a camera or a video as fast as it can, and always on the newest one.
///
/// While it works on one frame, only the newest of the frames offered meanwhile waits; it drops the others. So it
/// always answers the last frame that the app offered. Labelers and detectors can both use it:
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
/// Use it from any thread. It uses a thread only while it has a frame, and keeps itself alive for that time.
public final class LatestFrame<Frame: Sendable, Answer: Sendable>: Sendable {
    private struct State {
        var isWorking = false
        var isStopped = false
        var waiting: Frame?
        var droppedCount = 0
        /// Called when the work has ended and no frame waits.
        var waiters: [@Sendable () -> Void] = []
    }

    private let state = Lock(State())
    private let queue = DispatchQueue(label: "app.hearth.latest-frame")
    /// Distinguishes the queue's own thread from other threads.
    private let isOwnThread = DispatchSpecificKey<Bool>()
    private let work: @Sendable (Frame) throws -> Answer
    private let deliver: @Sendable (Frame, Result<Answer, any Error>) -> Void

    /// Creates a worker that has no frame yet.
    /// - Parameters:
    ///   - work: The work on one frame. It may block. It gets one frame at a time, in the order in which the app
    ///     offered them.
    ///   - deliver: Receives each frame that was worked on, with its answer or with the error that `work` threw. It
    ///     runs on the thread on which `work` ran; the next frame begins when it returns.
    public init(
        work: @escaping @Sendable (Frame) throws -> Answer,
        deliver: @escaping @Sendable (Frame, Result<Answer, any Error>) -> Void
    ) {
        self.work = work
        self.deliver = deliver
        queue.setSpecific(key: isOwnThread, value: true)
    }

    /// The number of frames that were offered and dropped without work on them.
    public var droppedCount: Int { state.withLock { $0.droppedCount } }

    /// Hands over a frame and returns at once. The frame replaces one that still waits.
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

    /// Drops the waiting frame and every frame offered from now on. The frame that is being worked on still gets its
    /// answer; ``finish()`` waits for it.
    public func stop() {
        state.withLock { state in
            state.isStopped = true
            if state.waiting != nil { state.droppedCount += 1 }
            state.waiting = nil
        }
    }

    /// Stops taking frames, and returns once the last frame offered before is answered, that is, after `deliver` has
    /// returned.
    ///
    /// Frames offered from now on are dropped. Cancelling the task does not end the waiting.
    public func finish() async {
        await withCheckedContinuation { continuation in
            end { continuation.resume() }
        }
    }

    /// Stops taking frames, and blocks the calling thread until the last frame offered before is answered. For code
    /// that is not async. A call from inside `work` or `deliver` does not wait.
    @available(*, noasync, message: "use await finish()")
    public func waitUntilFinished() {
        let isFinished = DispatchSemaphore(value: 0)
        end { isFinished.signal() }
        guard DispatchQueue.getSpecific(key: isOwnThread) == nil else { return }
        isFinished.wait()
    }

    /// Stops taking frames, and calls `completion` once, as soon as the work has ended.
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

    /// Takes the waiting frame. Without one the work has ended, and all waiters are called.
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
