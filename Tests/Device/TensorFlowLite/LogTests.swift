import Foundation
import TensorFlowLite
import Testing

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
