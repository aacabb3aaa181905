import Foundation
import HearthHTTP
import HearthLocalCommands
import HearthWire

/// The server's log on standard error: one line per request, one per failure. No header, key or query value gets in.
enum ServerLog {
    @Sendable static func request(_ entry: AccessLogEntry) {
        let duration =
            Double(entry.duration.components.attoseconds) / 1e15 + Double(entry.duration.components.seconds) * 1000
        let status = entry.status.map(String.init) ?? "-"
        write(
            """
            \(entry.remoteAddress) \(entry.method?.rawValue ?? "-") \(entry.target) \(status) \
            in=\(entry.requestBytes) out=\(entry.responseBytes) \(String(format: "%.1f", duration))ms \(entry.requestID)
            """)
    }

    static func error(_ text: String) { write("error \(text)") }

    private static func write(_ text: String) {
        Output.note("\(Timestamp.now.rfc3339(fractionDigits: 3)) \(text)")
    }
}
