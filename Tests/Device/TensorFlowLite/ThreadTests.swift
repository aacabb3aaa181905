import Foundation
import Synchronization
import TensorFlowLite
import Testing

struct ThreadTests {
    /// Made, run and destroyed on eight threads at once, again and again.
    @Test func runsInterpretersSideBySide() {
        let wrong = Mutex(0)
        DispatchQueue.concurrentPerform(iterations: 8) { thread in
            let isRight = (try? Self.isRight(thread: thread)) ?? false
            if !isRight { wrong.withLock { $0 += 1 } }
        }
        #expect(wrong.withLock(\.self) == 0)
    }

    private static func isRight(thread: Int) throws -> Bool {
        for round in 0..<10 {
            let interpreter = try Fixture.add.allocated(resizedTo: [64])
            for run in 0..<20 {
                let input = (0..<64).map { Float($0 + 1000 * thread + 100 * round + run) }
                guard try interpreter.run(input) == input.map({ $0 * 3 }) else { return false }
            }
        }
        return true
    }
}
