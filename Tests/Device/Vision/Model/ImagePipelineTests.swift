import Dispatch
import Synchronization
import Testing

@testable import HearthVision

@Suite("Images off the calling thread")
struct ImagePipelineTests {
    @Test("the next is prepared while one runs, one more is not, and the order is kept")
    func stages() async {
        let pipeline = ImagePipeline()
        let (events, event) = AsyncStream.makeStream(of: String.self)
        let gate = DispatchSemaphore(value: 0)
        for number in 0..<4 {
            pipeline.add {
                event.yield("prepare \(number)")
                return number
            } then: { number in
                event.yield("run \(number)")
                gate.wait()
            }
        }
        var iterator = events.makeAsyncIterator()
        func next(_ count: Int) async -> Set<String> {
            var found: Set<String> = []
            while found.count < count, let event = await iterator.next() { found.insert(event) }
            return found
        }
        #expect(await next(1) == ["prepare 0"])
        #expect(await next(2) == ["run 0", "prepare 1"])
        for number in 1..<3 {
            gate.signal()
            #expect(await next(2) == ["run \(number)", "prepare \(number + 1)"])
        }
        gate.signal()
        #expect(await next(1) == ["run 3"])
        gate.signal()
    }
}
