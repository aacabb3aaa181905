import Foundation
import Testing

@testable import TensorFlowLite

/// What reaches the terminal, each in a process of its own: the engine's first words come once per process.
struct LogTests {
    @Test func saysNothingUnlessAsked() async throws {
        let result = try await #require(
            processExitsWith: .success, observing: [\.standardErrorContent, \.standardOutputContent]
        ) {
            write("before\n")
            let interpreter = try Fixture.add.allocated(resizedTo: [2])
            _ = try interpreter.run([Float(1), 3])
            _ = try? Fixture.unknown_custom.interpreter()
            _ = try? Interpreter(modelData: Data("no model".utf8))
            try? Fixture.where_.allocated().invoke()
            try? Fixture.divide_int32.allocated().invoke()
            write("after\n")
        }
        let output = String(decoding: result.standardErrorContent, as: UTF8.self)
        #expect(output.contains("before\nafter\n"), "\(output)")
        #expect(!output.contains("TensorFlow") && !output.contains("INFO") && !output.contains("ERROR"), "\(output)")
        #expect(!String(decoding: result.standardOutputContent, as: UTF8.self).contains("TensorFlow"))
    }

    @Test func losesNothingThatOthersPrintMeanwhile() async throws {
        let result = try await #require(processExitsWith: .success, observing: [\.standardErrorContent]) {
            let group = DispatchGroup()
            for thread in 0..<4 {
                Thread.detachNewThread(in: group) {
                    if thread == 0 { _ = try? Fixture.add.interpreter() }
                    for line in 0..<500 { printToStandardError("line \(thread) \(line)\n") }
                }
            }
            group.wait()
        }
        let lines = Set(String(decoding: result.standardErrorContent, as: UTF8.self).split(separator: "\n"))
        for thread in 0..<4 {
            for line in 0..<500 { #expect(lines.contains("line \(thread) \(line)")) }
        }
        #expect(!lines.contains { $0.contains("XNNPACK") })
    }

    @Test func letsTheEngineSpeakWhenAsked() async throws {
        let result = try await #require(processExitsWith: .success, observing: [\.standardErrorContent]) {
            var options = Interpreter.Options()
            options.logLevel = .info
            _ = try Fixture.add.interpreter(options)
        }
        #expect(String(decoding: result.standardErrorContent, as: UTF8.self).contains("XNNPACK delegate"))
    }

    @Test func tellsWhyAModelWasNotLoadedWhenAsked() async throws {
        let result = try await #require(processExitsWith: .success, observing: [\.standardErrorContent]) {
            var options = Interpreter.Options()
            options.logLevel = .error
            _ = try? Interpreter(modelPath: "/nowhere/model.tflite", options: options)
        }
        let output = String(decoding: result.standardErrorContent, as: UTF8.self)
        #expect(output.contains("TensorFlow Lite Error: ") && output.contains("/nowhere/model.tflite"), "\(output)")
    }
}

/// Past the `stderr` stream, as a crash report or another process would write.
private func write(_ text: String) {
    FileHandle.standardError.write(Data(text.utf8))
}

/// Through the `stderr` stream, as C libraries do.
private func printToStandardError(_ text: String) {
    perror(text)
}

extension Thread {
    fileprivate static func detachNewThread(in group: DispatchGroup, _ body: @escaping @Sendable () -> Void) {
        group.enter()
        detachNewThread {
            body()
            group.leave()
        }
    }
}

/// Which error a failure of the engine becomes. That it gives no reason cannot be brought about from outside.
struct RuntimeLogTests {
    private let list = MessageList()

    private func error(_ failure: EngineError, _ original: InterpreterError) -> any Error {
        RuntimeLog(
            .with {
                $0.logLevel = .error; $0.logHandler = list.handler
            }
        ).error(failure, otherwise: original)
    }

    @Test func throwsTheReasonWhereThereIsOne() {
        for failure in [
            EngineError(.run, "Division by zero."),
            EngineError(.run, call: "run the model", status: 3, report: "Division by zero."),
        ] {
            let thrown = error(failure, .allocateTensorsRequired) as? InterpreterError
            #expect(thrown == .tensorFlowLiteError("Division by zero."))
        }
        #expect(list.messages.isEmpty)
    }

    @Test(arguments: [
        InterpreterError.failedToLoadModel, .failedToCreateInterpreter, .failedToAllocateTensors,
    ])
    func throwsTheOriginalsErrorWhereThereIsNone(original: InterpreterError) {
        let failure = EngineError(.allocate, call: "allocate the tensors", status: 3)
        #expect(error(failure, original) as? InterpreterError == original)
        #expect(list.texts == ["LiteRT could not allocate the tensors (status 3: runtime failure)."])
    }

    /// A device that lacks memory for a moment must not reject a model for good.
    @Test func lackOfMemoryIsNotARefusal() throws {
        for failure in [
            EngineError(.create, call: "compile the model", status: 2),
            EngineError(.allocate, call: "allocate the tensors", status: 2, report: "Out of memory."),
            EngineError(noMemoryFor: [1, 2]),
        ] {
            let thrown = error(failure, .failedToCreateInterpreter) as? InterpreterError
            #expect(thrown == .failedToAllocateTensors)
        }
        #expect(list.texts.last == "There is not enough memory for a tensor of shape [1, 2].")
    }

    @Test func throwsACancellationAsSwiftDoes() {
        #expect(error(EngineError(.cancelled, "Stopped."), .allocateTensorsRequired) is CancellationError)
        #expect(list.messages.isEmpty)
    }
}

struct EngineLinesTests {
    /// What `pieces`, printed one after the other, leave: messages, and what was passed on.
    private func lines(_ pieces: String...) -> (messages: [LogMessage], rest: String) {
        var rest: [UInt8] = []
        let lines = EngineOutputParser { rest += $0 }
        for piece in pieces { lines.receive(piece.utf8) }
        lines.finish()
        return (lines.messages, String(decoding: rest, as: UTF8.self))
    }

    @Test func takesALineWholeOrInPieces() {
        let made = [LogMessage(level: .info, text: "made.")]
        #expect(lines("INFO: made.\n").messages == made)
        #expect(lines("INFO: ", "made.", "\n").messages == made)
        #expect(lines("INFO: made.").messages == made)
        #expect(lines("INFO: ", "made.", "\n").rest == "")
    }

    @Test func knowsTheLevels() {
        let messages = lines("ERROR: a\nWARNING: b\nINFO: c\nVERBOSE: d\n<Unknown severity>: e\n").messages
        #expect(messages.map(\.level) == [.error, .warning, .info, .info, .info])
        #expect(messages.map(\.text) == ["a", "b", "c", "d", "e"])
    }

    @Test(arguments: ["", "I", "INFO", "INFO:made\n", "info: made.\n", "terminate called\n", "\n", "a\n\nb\n"])
    func passesEverythingElseOn(text: String) {
        #expect(lines(text).rest == text)
        #expect(lines(text).messages.isEmpty)
    }

    @Test func leavesNoEmptyLineOfAMessageThatEndsInALineBreak() {
        let (messages, rest) = lines("ERROR: ", "no such operator\n", "\n", "INFO: x\n")
        #expect(messages.map(\.text) == ["no such operator", "x"])
        #expect(rest == "")
    }

    @Test func survivesBytesThatAreNoText() {
        let lines = EngineOutputParser { _ in }
        lines.receive([0x45, 0x52, 0x52, 0x4F, 0x52, 0x3A, 0x20, 0xFF, 0x0A])
        #expect(lines.messages.first?.text == "\u{FFFD}")
    }
}
