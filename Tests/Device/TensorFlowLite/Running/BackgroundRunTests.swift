import Foundation
import Testing

@testable import TensorFlowLite

struct BackgroundRunTests {
    @Test func runsAndComesBack() async throws {
        let interpreter = try EngineFixture.counting_loop.allocated()
        for limit in [Float(5), 1000, 7] {
            try interpreter.setLimit(limit)
            try await interpreter.invokeInBackground()
            #expect(try interpreter.output(at: 0).data.elements(Float.self) == [limit])
        }
    }

    @Test func runsSignatures() async throws {
        let runner = try EngineFixture.counting_loop.interpreter().signatureRunner(with: "count")
        try await runner.invokeInBackground(with: [
            "start": Data(elements: [Float(0)]), "limit": Data(elements: [Float(9)]),
        ])
        #expect(try runner.output(named: "counter").data.elements(Float.self) == [9])
        await #expect(throws: SignatureRunnerError.failedToGetTensor(tensorType: "input", nameInSignature: "no")) {
            try await runner.invokeInBackground(with: ["no": Data()])
        }
    }

    @MainActor @Test func keepsTheCallersActor() async throws {
        let interpreter = try EngineFixture.counting_loop.allocated()
        try interpreter.setLimit(5)
        try await interpreter.invokeInBackground()
        MainActor.assertIsolated()
        #expect(try interpreter.output(at: 0).data.elements(Float.self) == [5])
    }

    @Test func passesErrorsOn() async throws {
        let interpreter = try EngineFixture.counting_loop.interpreter()
        await #expect(throws: InterpreterError.allocateTensorsRequired) { try await interpreter.invokeInBackground() }
        try interpreter.allocateTensors()
        try await interpreter.invokeInBackground()
    }

    @Test func isStoppedWithItsTask() async throws {
        let canceller = try await Self.cancelOnceRunning(EngineFixture.endless_loop)
        #expect(!canceller.isRunning)
    }

    private static func cancelOnceRunning(_ fixture: EngineFixture) async throws -> InvocationCanceller {
        let (cancellers, continuation) = AsyncStream.makeStream(of: InvocationCanceller.self)
        let task = Task {
            let interpreter = try fixture.allocated()
            continuation.yield(interpreter.canceller)
            await #expect(throws: CancellationError.self) { try await interpreter.invokeInBackground() }
            // Usable again at once.
            _ = try interpreter.input(at: 0)
        }
        var iterator = cancellers.makeAsyncIterator()
        let canceller = try #require(await iterator.next())
        while !canceller.isRunning { await Task.yield() }
        task.cancel()
        try await task.value
        return canceller
    }

    @Test func doesNotEvenBeginInACancelledTask() async throws {
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            let interpreter = try EngineFixture.endless_loop.allocated()
            await #expect(throws: CancellationError.self) { try await interpreter.invokeInBackground() }
        }
        try await task.value
    }

    @Test func isStoppedByItsCanceller() async throws {
        let interpreter = try EngineFixture.endless_loop.allocated()
        let canceller = interpreter.canceller
        Thread.detachNewThread {
            while !canceller.isRunning { sched_yield() }
            canceller.cancel()
        }
        await #expect(throws: CancellationError.self) { try await interpreter.invokeInBackground() }
    }

    /// More endless runs than there are processors, and still other tasks go on and can end them. In a process of its own: the
    /// tests of a whole process wait for their turns between these runs, and these for them.
    @Test func holdsNoneOfSwiftsThreads() async {
        await #expect(processExitsWith: .success) {
            let count = ProcessInfo.processInfo.activeProcessorCount * 2 + 6
            try await withThrowingTaskGroup { group in
                let (cancellers, continuation) = AsyncStream.makeStream(of: InvocationCanceller.self)
                for _ in 0..<count {
                    group.addTask {
                        let interpreter = try EngineFixture.endless_loop.allocated()
                        continuation.yield(interpreter.canceller)
                        await #expect(throws: CancellationError.self) { try await interpreter.invokeInBackground() }
                    }
                }
                var iterator = cancellers.makeAsyncIterator()
                var running: [InvocationCanceller] = []
                while running.count < count {
                    guard let canceller = await iterator.next() else { break }
                    while !canceller.isRunning { await Task.yield() }
                    running.append(canceller)
                }
                #expect(running.count == count && running.allSatisfy { $0.isRunning })
                group.cancelAll()
                try await group.waitForAll()
            }
        }
    }

    @Test func rejectsOtherCalls() async throws {
        let shared = Shared(try EngineFixture.endless_loop.allocated())
        let canceller = shared.interpreter.canceller
        let refused = AsyncStream.makeStream(of: [String].self)
        Thread.detachNewThread {
            while !canceller.isRunning { sched_yield() }
            let interpreter = shared.interpreter
            var texts: [String] = []
            for use in [
                { try interpreter.invoke() }, { try interpreter.allocateTensors() },
                { _ = try interpreter.output(at: 0) }, { _ = try interpreter.profile {} },
            ] as [() throws -> Void] {
                do { try use(); texts.append("") } catch { texts.append(reason(error)) }
            }
            refused.continuation.yield(texts)
            canceller.cancel()
        }
        await #expect(throws: CancellationError.self) { try await shared.interpreter.invokeInBackground() }
        var iterator = refused.stream.makeAsyncIterator()
        let texts = try #require(await iterator.next())
        #expect(texts.count == 4 && texts.allSatisfy { $0.contains("in use") }, "\(texts)")
        try shared.interpreter.allocateTensors()
    }

    @Test func isRejectedWhileInUse() async throws {
        let shared = Shared(try EngineFixture.endless_loop.allocated())
        let first = Task { try await shared.interpreter.invokeInBackground() }
        while !shared.interpreter.canceller.isRunning { await Task.yield() }
        let error = await #expect(throws: InterpreterError.self) { try await shared.interpreter.invokeInBackground() }
        #expect(reason(error).contains("in use"))
        first.cancel()
        await #expect(throws: CancellationError.self) { try await first.value }
    }

    /// Safe to share: the tests show that the interpreter turns a second user away.
    private struct Shared: @unchecked Sendable {
        let interpreter: Interpreter

        init(_ interpreter: Interpreter) {
            self.interpreter = interpreter
        }
    }
}
