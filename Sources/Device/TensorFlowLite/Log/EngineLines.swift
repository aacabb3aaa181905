/// Takes apart what the engine prints on one thread: lines that begin with a level, as `INFO: Created a delegate.`
///
/// Other lines are not the engine's own, or are its last words before it ends the process: those it passes on at once.
final class EngineLines {
    private(set) var messages: [LogMessage] = []
    private var unfinished: [UInt8] = []
    private let passOn: ([UInt8]) -> Void

    init(passingOn passOn: @escaping ([UInt8]) -> Void) {
        self.passOn = passOn
    }

    /// Takes the next bytes, which may hold parts of lines or several.
    func receive(_ bytes: some Sequence<UInt8>) {
        for byte in bytes {
            unfinished.append(byte)
            if byte == UInt8(ascii: "\n") { finishLine() }
        }
    }

    /// Takes what came without a line break as a line.
    func finish() {
        if !unfinished.isEmpty { finishLine() }
    }

    private func finishLine() {
        defer { unfinished.removeAll(keepingCapacity: true) }
        if let message = Self.message(unfinished) { return messages.append(message) }
        // Some of the engine's messages end in a line break of their own.
        let isEmptyEnd = unfinished == [UInt8(ascii: "\n")] && !messages.isEmpty
        if !isEmptyEnd { passOn(unfinished) }
    }

    private static func message(_ line: [UInt8]) -> LogMessage? {
        guard let (prefix, level) = levels.first(where: { line.starts(with: $0.prefix.utf8) }) else { return nil }
        var text = Substring(String(decoding: line.dropFirst(prefix.utf8.count), as: UTF8.self))
        while text.last?.isNewline == true { text.removeLast() }
        return LogMessage(level: level, text: String(text))
    }

    private static let levels: [(prefix: String, level: Interpreter.Options.LogLevel)] = [
        ("ERROR: ", .error), ("WARNING: ", .warning), ("INFO: ", .info), ("VERBOSE: ", .info),
        ("<Unknown severity>: ", .info),
    ]
}
