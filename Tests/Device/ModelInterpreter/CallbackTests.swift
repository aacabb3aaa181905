import Dispatch
import Foundation
import HearthModelInterpreter
import Testing

@Suite("Completions and threads")
struct CallbackTests {
    private let sample = Sample.batch

    private func inputs(_ row: [Float] = [1, 2]) throws -> ModelInputs {
        let inputs = ModelInputs()
        try inputs.addInput([row])
        return inputs
    }

    @Test("completions come on the queue that was set, with exactly one argument")
    func callbackQueue() async throws {
        let queue = DispatchQueue(label: "callbacks")
        let key = DispatchSpecificKey<Bool>()
        queue.setSpecific(key: key, value: true)
        let interpreter = sample.interpreter()
        interpreter.callbackQueue = queue
        let options = try sample.options()
        for (inputs, succeeds) in [(try inputs(), true), (ModelInputs(), false)] {
            await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
                interpreter.run(inputs: inputs, options: options) { outputs, error in
                    #expect(DispatchQueue.getSpecific(key: key) == true)
                    #expect((outputs != nil) == succeeds)
                    #expect((error == nil) == succeeds)
                    #expect(error == nil || type(of: error!) == NSError.self)
                    continuation.resume()
                }
            }
        }
        for (name, expected) in [("input", 0), ("nothing", nil)] as [(String, NSNumber?)] {
            await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
                interpreter.inputIndex(opName: name) { index, error in
                    #expect(DispatchQueue.getSpecific(key: key) == true)
                    #expect(index == expected)
                    #expect((index == nil) != (error == nil))
                    continuation.resume()
                }
            }
        }
    }

    @Test("without a queue of their own they come on the main one, after the call has returned")
    func mainQueue() async throws {
        // The main queue need not run on the main thread here, so it is known by a mark.
        let key = DispatchSpecificKey<Bool>()
        DispatchQueue.main.setSpecific(key: key, value: true)
        defer { DispatchQueue.main.setSpecific(key: key, value: nil) }
        let interpreter = sample.interpreter()
        let (inputs, options) = (try inputs(), try sample.options())
        await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
            interpreter.run(inputs: inputs, options: options) { outputs, _ in
                #expect(DispatchQueue.getSpecific(key: key) == true)
                #expect(outputs != nil)
                interpreter.outputIndex(opName: "output") { index, _ in
                    #expect(DispatchQueue.getSpecific(key: key) == true)
                    #expect(index == 0)
                    continuation.resume()
                }
            }
        }
    }

    @Test("many threads with one interpreter and batches of several sizes get their own results")
    func threads() throws {
        let interpreter = sample.interpreter()
        interpreter.callbackQueue = DispatchQueue(label: "callbacks")
        let done = DispatchGroup()
        for _ in 0..<64 { done.enter() }
        DispatchQueue.concurrentPerform(iterations: 64) { index in
            let rows = (0...index % 5).map { [Float(index), Float($0)] }
            let inputs = ModelInputs()
            #expect(failure { try inputs.addInput(rows) } == nil)
            guard let options = try? sample.with(dimensions: [NSNumber(value: rows.count), 2]).options() else {
                return
            }
            interpreter.run(inputs: inputs, options: options) { outputs, error in
                #expect(
                    (try? outputs?.output(index: 0)) as? [[Float]] == rows.map { $0.map { $0 * 3 } }, "\(error as Any)")
                done.leave()
            }
        }
        #expect(done.wait(timeout: .now() + 60) == .success)
    }

    @Test("many tasks share inputs and options")
    func tasks() async throws {
        let interpreter = sample.interpreter()
        let (inputs, options) = (try inputs(), try sample.options())
        try await withThrowingTaskGroup(of: [[Float]]?.self) { group in
            for _ in 0..<32 {
                group.addTask {
                    try await interpreter.run(inputs: inputs, options: options).output(index: 0) as? [[Float]]
                }
            }
            for try await rows in group { #expect(rows == [[3, 6]]) }
        }
    }

    @Test("an interpreter that nobody keeps still answers")
    func unkept() async throws {
        let (inputs, options) = (try inputs(), try sample.options())
        let queue = DispatchQueue(label: "callbacks")
        let isAnswered = await withCheckedContinuation { continuation in
            let interpreter = sample.interpreter()
            interpreter.callbackQueue = queue
            interpreter.run(inputs: inputs, options: options) { outputs, _ in
                continuation.resume(returning: outputs != nil)
            }
        }
        #expect(isAnswered)
    }

    @Test("async code gets real NSErrors, and may ignore results")
    func async() async throws {
        try await sample.interpreter().run(inputs: inputs(), options: sample.options())
        try await sample.interpreter().inputIndex(opName: "input")
        do {
            try await sample.interpreter().run(inputs: ModelInputs(), options: sample.options())
            Issue.record("nothing was thrown")
        } catch {
            #expect(type(of: error) == NSError.self)
        }
    }
}
