import Foundation
import Testing

@testable import TensorFlowLite

struct CancellationTests {
    /// Calls `body` on another thread as soon as a run is in progress.
    private func whenRunning(_ canceller: InvocationCanceller, _ body: @escaping @Sendable () -> Void) {
        Thread.detachNewThread {
            while !canceller.isRunning { sched_yield() }
            body()
        }
    }

    @Test func stopsARunThatWouldNeverEnd() throws {
        let interpreter = try EngineFixture.endless_loop.allocated()
        for _ in 0..<3 {
            let canceller = interpreter.canceller
            whenRunning(canceller) { canceller.cancel() }
            #expect(throws: CancellationError.self) { try interpreter.invoke() }
        }
    }

    @Test(arguments: [Interpreter.Options.KernelMode.xnnPack, .builtIn])
    func leavesTheInterpreterUsable(kernelMode: Interpreter.Options.KernelMode) throws {
        let interpreter = try EngineFixture.counting_loop.allocated(.with { $0.kernelMode = kernelMode })
        try interpreter.setLimit(.infinity)
        let canceller = interpreter.canceller
        whenRunning(canceller) { canceller.cancel() }
        #expect(throws: CancellationError.self) { try interpreter.invoke() }
        try interpreter.setLimit(12)
        try interpreter.invoke()
        #expect(try interpreter.output(at: 0).data.elements(Float.self) == [12])
    }

    @Test func stopsSignatureRunners() throws {
        let interpreter = try EngineFixture.endless_loop.interpreter()
        let runner = try interpreter.signatureRunner(with: "count")
        let canceller = interpreter.canceller
        whenRunning(canceller) { canceller.cancel() }
        #expect(throws: CancellationError.self) { try runner.invoke(with: [:]) }
    }

    @Test func isOfNoConcernToLaterRuns() throws {
        let interpreter = try EngineFixture.counting_loop.allocated()
        try interpreter.setLimit(3)
        interpreter.canceller.cancel()
        try interpreter.invoke()
        interpreter.canceller.cancel()
        try interpreter.invoke()
        #expect(try interpreter.output(at: 0).data.elements(Float.self) == [3])
        #expect(interpreter.canceller === interpreter.canceller)
    }

    @Test func keepsOtherFailuresApart() throws {
        let interpreter = try Fixture.divide_int32.allocated()
        #expect(throws: InterpreterError.self) { try interpreter.invoke() }
    }

    @Test func outlivesItsInterpreter() throws {
        let canceller = try EngineFixture.mixed.allocated().canceller
        canceller.cancel()
        #expect(!canceller.isRunning)
    }

    @Test func cancelsOnlyTheRunThatWasMeant() throws {
        let canceller = InvocationCanceller()
        let first = try #require(canceller.begin())
        #expect(canceller.begin() == nil)
        canceller.end(first)
        let second = try #require(canceller.begin())
        canceller.cancel(first)
        #expect(!canceller.shouldStop() && !canceller.hasStopped)
        canceller.cancel(second)
        #expect(!canceller.hasStopped)
        #expect(canceller.shouldStop() && canceller.hasStopped)
        canceller.end(second)
        #expect(!canceller.shouldStop() && !canceller.isRunning)
    }
}
