import Dispatch
import Foundation
import HearthConcurrency
import Testing

@Suite("Cancellation") struct CancellationTests {
    @Test("A wait without an end returns when another thread cancels")
    func wakesWait() {
        let cancellation = Cancellation()
        let isWaiting = DispatchSemaphore(value: 0)
        let ended = DispatchSemaphore(value: 0)
        Thread.detachNewThread {
            isWaiting.signal()
            cancellation.wait(seconds: .infinity)
            ended.signal()
        }
        isWaiting.wait()
        cancellation.cancel()
        #expect(ended.wait(timeout: .now() + 30) == .success)
    }

    @Test("A wait after the cancellation returns")
    func waitsNoMore() {
        let cancellation = Cancellation()
        cancellation.cancel()
        cancellation.wait(seconds: .infinity)
        #expect(cancellation.isCancelled)
    }

    @Test("The semaphore's own signal ends the wait")
    func ownSignal() {
        let semaphore = DispatchSemaphore(value: 0)
        semaphore.signal()
        let cancellation = Cancellation()
        #expect(cancellation.wait(for: semaphore, seconds: .infinity))
        #expect(!cancellation.wait(for: semaphore, seconds: 0), "the signal was taken")
        #expect(!cancellation.isCancelled)
    }

    @Test("Each handler is called once, also one that comes after the cancellation")
    func handlers() {
        let cancellation = Cancellation()
        let calls = Lock<[Int]>([])
        cancellation.onCancel { calls.withLock { $0.append(1) } }
        #expect(calls.withLock { $0 } == [])
        cancellation.cancel()
        cancellation.cancel()
        cancellation.onCancel { calls.withLock { $0.append(2) } }
        #expect(calls.withLock { $0 } == [1, 2])
    }

    @Test("A handler of a body that has ended is not called")
    func scopedHandler() {
        let cancellation = Cancellation()
        let calls = Lock(0)
        let result = cancellation.withHandler({ calls.withLock { $0 += 1 } }) { 7 }
        cancellation.cancel()
        #expect(result == 7)
        #expect(calls.withLock { $0 } == 0)
    }

    @Test("A handler may register and cancel again without a deadlock")
    func reentrant() {
        let cancellation = Cancellation()
        let calls = Lock(0)
        cancellation.onCancel {
            cancellation.cancel()
            cancellation.onCancel { calls.withLock { $0 += 1 } }
        }
        cancellation.cancel()
        #expect(calls.withLock { $0 } == 1)
    }
}
