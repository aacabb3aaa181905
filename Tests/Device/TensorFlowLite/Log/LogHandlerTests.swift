import Foundation
import Synchronization
import Testing

@testable import TensorFlowLite

struct LogHandlerTests {
    @Test func takesTheEnginesLinesInsteadOfTheTerminal() async throws {
        let result = try await #require(processExitsWith: .success, observing: [\.standardErrorContent]) {
            let list = MessageList()
            let options = Interpreter.Options.with {
                $0.logLevel = .info
                $0.logHandler = list.handler
            }
            _ = try EngineFixture.dense_1.allocated(options)
            let line = try #require(list.messages.first { $0.text.contains("XNNPACK delegate") })
            #expect(line == LogMessage(level: .info, text: "Created TensorFlow Lite XNNPACK delegate for CPU."))
        }
        let output = String(decoding: result.standardErrorContent, as: UTF8.self)
        #expect(!output.contains("INFO") && !output.contains("XNNPACK"), "\(output)")
    }

    @Test func takesTheInterpretersOwnLines() throws {
        let list = MessageList()
        let options = Interpreter.Options.with {
            $0.logLevel = .error
            $0.logHandler = list.handler
        }
        #expect(throws: InterpreterError.failedToLoadModel) {
            try Interpreter(modelPath: "/nowhere/model.tflite", options: options)
        }
        #expect(list.messages.map(\.level) == [.error])
        #expect(list.texts.first?.contains("/nowhere/model.tflite") == true)
    }

    @Test func getsNothingMoreThanTheLevelSays() throws {
        let list = MessageList()
        let options = Interpreter.Options.with { $0.logHandler = list.handler }
        _ = try EngineFixture.dense_1.allocated(options)
        _ = try? Interpreter(modelPath: "/nowhere/model.tflite", options: options)
        #expect(list.messages.isEmpty)
    }

    @Test func hearsEachLevelWithThoseBeforeIt() {
        let levels: [Interpreter.Options.LogLevel] = [.silent, .error, .warning, .info]
        #expect(levels.shuffled().sorted() == levels)
        #expect(levels.map(\.rawValue) == [0, 1, 2, 3])
        for level in levels {
            let list = MessageList()
            let log = RuntimeLog(
                .with {
                    $0.logLevel = level; $0.logHandler = list.handler
                })
            log.error("an error")
            log.warning("a warning")
            let all = [LogMessage(level: .error, text: "an error"), LogMessage(level: .warning, text: "a warning")]
            #expect(list.messages == all.filter { $0.level <= level })
        }
    }

    @Test func getsMessagesThatCompareByValue() {
        let messages = [
            LogMessage(level: .error, text: "a"), LogMessage(level: .error, text: "b"),
            LogMessage(level: .info, text: "a"),
        ]
        #expect(Set(messages + messages).count == 3)
    }

    /// While a handler is called, the standard error stream is the process's own again.
    @Test func mayPrintByItself() async throws {
        let result = try await #require(processExitsWith: .success, observing: [\.standardErrorContent]) {
            let options = Interpreter.Options.with {
                $0.logLevel = .info
                $0.logHandler = LogHandler { message in perror("heard \(message.text)") }
            }
            _ = try EngineFixture.dense_1.allocated(options)
        }
        #expect(String(decoding: result.standardErrorContent, as: UTF8.self).contains("heard Created"))
    }

    @Test func isEqualToItsCopies() {
        let first = LogHandler { _ in }
        let second = LogHandler { _ in }
        #expect(first == first && first != second)
        #expect(Set([first, first, second]).count == 2)
        #expect(Interpreter.Options.with { $0.logHandler = first } == .with { $0.logHandler = first })
        #expect(Interpreter.Options.with { $0.logHandler = first } != .with { $0.logHandler = second })
    }

    @Test func cannotUseTheInterpreterThatCallsIt() throws {
        let lock = InterpreterLock()
        let list = MessageList()
        let log = RuntimeLog(
            .with {
                $0.logLevel = .error
                $0.logHandler = LogHandler { message in
                    do { try lock.withLock {} } catch { list.handler(message) }
                }
            })
        log.error("outside")
        try lock.withLock {
            log.error("inside")
            try lock.withLock {}
        }
        #expect(list.texts == ["inside"])
    }
}

/// Keeps what an interpreter logs.
final class MessageList: Sendable {
    private let list = Mutex<[LogMessage]>([])

    var messages: [LogMessage] { list.withLock(\.self) }

    var texts: [String] { messages.map(\.text) }

    var handler: LogHandler {
        LogHandler { message in self.list.withLock { $0.append(message) } }
    }
}
