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

/// One interpreter in two threads' hands. The compiler allows it in Swift 5 mode only, so it is forced here.
struct UseFromTwoThreadsTests {
    /// Proof that this may be shared: the tests hand it over only to show that the interpreter turns a second thread
    /// away before anything is touched.
    private final class SharedAcrossThreads: @unchecked Sendable {
        let interpreter: Interpreter
        let runner: SignatureRunner

        init() throws {
            interpreter = try Fixture.signatures.allocated()
            runner = try interpreter.signatureRunner(with: "minus")
        }
    }

    private func isTurnedAway(_ body: () throws -> Void) -> Bool {
        guard case InterpreterError.tensorFlowLiteError(let text)? = #expect(throws: (any Error).self, performing: body)
        else { return false }
        return text.contains("in use by another thread")
    }

    @Test func rejectsASecondThread() throws {
        let smuggled = try SharedAcrossThreads()
        // While the first thread is inside of a call, which the closure keeps open ...
        try smuggled.interpreter.withUnsafeMutableInputBytes(at: 0) { _ in
            let finished = DispatchSemaphore(value: 0)
            Thread.detachNewThread {
                defer { finished.signal() }
                let interpreter = smuggled.interpreter
                let runner = smuggled.runner
                // What never changes may be asked for at any time.
                #expect(interpreter.inputTensorCount == 2 && interpreter.outputTensorCount == 1)
                #expect(isTurnedAway { try interpreter.invoke() })
                #expect(isTurnedAway { try interpreter.allocateTensors() })
                #expect(isTurnedAway { _ = try interpreter.input(at: 0) })
                #expect(isTurnedAway { _ = try interpreter.output(at: 0) })
                #expect(isTurnedAway { _ = try interpreter.copy(Data(count: 4), toInputAt: 0) })
                #expect(isTurnedAway { try interpreter.resizeInput(at: 0, to: [2]) })
                #expect(isTurnedAway { _ = try interpreter.signatureRunner(with: "plus") })
                #expect(isTurnedAway { try runner.invoke(with: [:]) })
                #expect(isTurnedAway { try runner.resizeInput(named: "a", toShape: [2]) })
            }
            finished.wait()
            // ... which may itself go on using the interpreter.
            try smuggled.interpreter.invoke()
        }
        try smuggled.interpreter.invoke()
    }

    /// Whatever two threads do, each run that succeeds is right.
    @Test func neverComputesWrongNumbers() throws {
        let smuggled = try SharedAcrossThreads()
        let wrong = Mutex(0)
        let right = Mutex(0)
        DispatchQueue.concurrentPerform(iterations: 4) { thread in
            for _ in 0..<500 {
                let a = Float(thread + 1)
                let isRight = try? smuggled.runner.withUnsafeMutableInputBytes(named: "a") { bytes in
                    bytes.storeBytes(of: a, as: Float.self)
                    try smuggled.runner.invoke(with: ["b": Data(elements: [Float(0)])])
                    return try smuggled.runner.output(named: "difference").data.elements(Float.self) == [a]
                }
                switch isRight {
                case true?: right.withLock { $0 += 1 }
                case false?: wrong.withLock { $0 += 1 }
                case nil: continue
                }
            }
        }
        #expect(wrong.withLock(\.self) == 0)
        #expect(right.withLock(\.self) > 0)
    }
}
