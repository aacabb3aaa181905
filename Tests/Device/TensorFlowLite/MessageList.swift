import Synchronization
import TensorFlowLite

/// Keeps what an interpreter logs.
final class MessageList: Sendable {
    private let list = Mutex<[LogMessage]>([])

    var messages: [LogMessage] { list.withLock(\.self) }

    var texts: [String] { messages.map(\.text) }

    var handler: LogHandler {
        LogHandler { message in self.list.withLock { $0.append(message) } }
    }
}
