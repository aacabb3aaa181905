import Dispatch
import Foundation
import HearthTestSupport
import HearthVision
import Synchronization
import Testing

@Suite("The newest frame", .limitedTime)
struct LatestFrameTests {
    private struct Failure: Error, Equatable {
        let frame: Int
    }

    /// Frames that are worked on only as the test lets them: each takes one signal.
    private struct ManualWorker: Sendable {
        let gate = DispatchSemaphore(value: 0)
        let started: AsyncStream<Int>
        let answers: AsyncStream<Int>
        let frames: LatestFrame<Int, Int>

        init() {
            let (started, start) = AsyncStream.makeStream(of: Int.self)
            let (answers, answer) = AsyncStream.makeStream(of: Int.self)
            self.started = started
            self.answers = answers
            let gate = gate
            frames = LatestFrame { frame in
                start.yield(frame)
                gate.wait()
                return frame
            } deliver: { frame, result in
                #expect((try? result.get()) == frame)
                answer.yield(frame)
            }
        }
    }

    private func first(_ count: Int, of stream: AsyncStream<Int>) async -> [Int] {
        var found: [Int] = []
        for await value in stream {
            found.append(value)
            if found.count == count { break }
        }
        return found
    }

    @Test("100 frames at a slow worker: one waits, and the last is answered")
    func slow() async {
        let gated = ManualWorker()
        gated.frames.offer(0)
        #expect(await first(1, of: gated.started) == [0])
        for frame in 1..<100 { gated.frames.offer(frame) }
        #expect(gated.frames.droppedCount == 98, "all but the one at work and the one that waits")
        gated.gate.signal()
        gated.gate.signal()
        #expect(await first(2, of: gated.answers) == [0, 99])
        #expect(gated.frames.droppedCount == 98)
    }

    @Test("frames that come one by one are all answered, in order")
    func unhurried() async {
        let gated = ManualWorker()
        for frame in 0..<20 {
            gated.gate.signal()
            gated.frames.offer(frame)
            #expect(await first(1, of: gated.answers) == [frame])
        }
        #expect(gated.frames.droppedCount == 0)
    }

    @Test("100 images at a real labeler: the last is answered, and each is answered or dropped")
    func labeler() async {
        let labeler = Labeler.fixture("uint8")
        let (answers, answer) = AsyncStream.makeStream(of: (image: VisionImage, count: Int?).self)
        let frames = LatestFrame { (image: VisionImage) in
            try labeler.results(in: image)
        } deliver: { image, labels in
            answer.yield((image, try? labels.get().count))
        }
        let images = (0..<100).map { _ in Labeler.pixel }
        for image in images { frames.offer(image) }
        var answered = 0
        for await answer in answers {
            #expect(answer.count == 3)
            answered += 1
            if answer.image === images.last { break }
        }
        #expect(answered + frames.droppedCount == 100)
    }

    @Test("from many threads: one frame at a time, each answered once or dropped, the last of all answered")
    func threads() async {
        let atWork = Atomic<Int>(0)
        let (answers, answer) = AsyncStream.makeStream(of: Int.self)
        let frames = LatestFrame { (frame: Int) in
            #expect(atWork.add(1, ordering: .relaxed).newValue == 1)
            defer { atWork.subtract(1, ordering: .relaxed) }
            return frame
        } deliver: { frame, _ in
            answer.yield(frame)
        }
        DispatchQueue.concurrentPerform(iterations: 8) { thread in
            for frame in 0..<500 { frames.offer(thread * 500 + frame) }
        }
        frames.offer(-1)
        var answered: Set<Int> = []
        for await frame in answers {
            #expect(answered.insert(frame).inserted)
            if frame == -1 { break }
        }
        #expect(answered.count + frames.droppedCount == 4_001)
    }

    @Test("errors are delivered, and the next frame is worked on")
    func errors() async {
        let (answers, answer) = AsyncStream.makeStream(of: Result<Int, any Error>.self)
        let frames = LatestFrame { (frame: Int) throws -> Int in
            if frame == 0 { throw Failure(frame: frame) }
            return frame
        } deliver: { _, result in
            answer.yield(result)
        }
        var iterator = answers.makeAsyncIterator()
        frames.offer(0)
        let failed = await iterator.next()
        #expect(throws: Failure(frame: 0)) { try failed?.get() }
        frames.offer(1)
        let answered = await iterator.next()
        #expect((try? answered?.get()) == 1)
    }

    @Test("after a stop the frame at work is answered and no other")
    func stop() async {
        let gated = ManualWorker()
        gated.frames.offer(0)
        #expect(await first(1, of: gated.started) == [0])
        gated.frames.offer(1)
        gated.frames.stop()
        gated.frames.offer(2)
        #expect(gated.frames.droppedCount == 2)
        gated.gate.signal()
        #expect(await first(1, of: gated.answers) == [0])
        gated.frames.stop()
        gated.frames.offer(3)
        #expect(gated.frames.droppedCount == 3)
    }

    /// What was delivered, in order, of frames that take one signal each.
    private final class Deliveries: Sendable {
        let gate = DispatchSemaphore(value: 0)
        private let delivered = Mutex<[Int]>([])

        var all: [Int] { delivered.withLock { $0 } }

        func frames() -> LatestFrame<Int, Int> {
            LatestFrame { frame in
                self.gate.wait()
                return frame
            } deliver: { frame, _ in
                self.delivered.withLock { $0.append(frame) }
            }
        }
    }

    @Test("finishing waits until the frame at work and the one that waits are answered")
    func finish() async {
        let deliveries = Deliveries()
        let frames = deliveries.frames()
        for frame in 0..<3 { frames.offer(frame) }
        let answered = Task {
            await frames.finish()
            return deliveries.all
        }
        deliveries.gate.signal()
        deliveries.gate.signal()
        #expect(await answered.value.last == 2)
        #expect(deliveries.all.count + frames.droppedCount == 3)
        frames.offer(3)
        await frames.finish()
        #expect(deliveries.all.last == 2, "what comes after the end is dropped")
        #expect(deliveries.all.count + frames.droppedCount == 4)
    }

    private final class Token: Sendable {}

    /// Whether it takes no frame any more: a frame that it takes it holds, until the next one or the work.
    private func isEnded(_ frames: LatestFrame<Token, Void>) -> Bool {
        weak var offered: Token?
        do {
            let token = Token()
            offered = token
            frames.offer(token)
        }
        return offered == nil
    }

    @Test("a thread that waits for the end sees the last answer too")
    func blockingFinish() async {
        let gate = DispatchSemaphore(value: 0)
        let answered = Atomic<Int>(0)
        let frames = LatestFrame { (_: Token) in
            gate.wait()
        } deliver: { _, _ in
            answered.add(1, ordering: .relaxed)
        }
        let (counts, end) = AsyncStream.makeStream(of: Int.self)
        frames.offer(Token())
        Thread {
            frames.waitUntilFinished()
            end.yield(answered.load(ordering: .relaxed))
        }.start()
        // The work goes on only when the thread is known to wait for it.
        var waiting = 0
        while !isEnded(frames) {
            waiting = 1
            await Task.yield()
        }
        for _ in 0...waiting { gate.signal() }
        var iterator = counts.makeAsyncIterator()
        #expect(await iterator.next() == 1 + waiting)
    }

    @Test("after a stop, and without any frame, finishing is at once or waits for the frame at work only")
    func finishAfterStop() async {
        await Deliveries().frames().finish()
        let deliveries = Deliveries()
        let frames = deliveries.frames()
        frames.offer(0)
        frames.offer(1)
        frames.stop()
        deliveries.gate.signal()
        await frames.finish()
        #expect(deliveries.all == [0], "the second was dropped")
        #expect(deliveries.all.count + frames.droppedCount == 2)
    }

    @Test("who waits for the end inside of the work itself does not wait for ever")
    func finishInside() async {
        let (answers, answer) = AsyncStream.makeStream(of: Int.self)
        let frames = Mutex<LatestFrame<Int, Void>?>(nil)
        let made = LatestFrame { (_: Int) -> Void in
            frames.withLock { $0 }?.waitUntilFinished()
        } deliver: { frame, _ in
            answer.yield(frame)
        }
        frames.withLock { $0 = made }
        made.offer(7)
        #expect(await first(1, of: answers) == [7])
        frames.withLock { $0 = nil }
    }

    @Test("it lives until its last frame is answered, and no longer")
    func lifetime() async {
        let (answers, answer) = AsyncStream.makeStream(of: Int.self)
        let gate = DispatchSemaphore(value: 0)
        weak var reference: LatestFrame<Int, Void>?
        do {
            let frames = LatestFrame { (_: Int) in
                gate.wait()
            } deliver: { frame, _ in
                answer.yield(frame)
            }
            frames.offer(0)
            frames.offer(1)
            reference = frames
        }
        #expect(reference != nil)
        gate.signal()
        gate.signal()
        #expect(await first(2, of: answers) == [0, 1])
    }
}
