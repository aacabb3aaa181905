import Foundation

/// Where the interpreter says what its errors have no room for: standard error, and only when asked to.
struct RuntimeLog: Sendable {
    private let level: Interpreter.Options.LogLevel

    init(_ options: Interpreter.Options?) {
        level = options?.logLevel ?? .silent
    }

    func error(_ text: @autoclosure () -> String) {
        guard level >= .error else { return }
        FileHandle.standardError.write(Data("TensorFlow Lite Error: \(text())\n".utf8))
    }
}
