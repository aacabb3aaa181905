import Foundation
import Glibc
import HearthDevicePlane
import HearthFiles
import HearthHTTP
import HearthRouting
import HearthWire

/// The form of the log's lines.
package enum LogFormat: String, CaseIterable, Sendable {
    /// Text for operators.
    case text
    /// One JSON object per line, for programs.
    case json
}

/// What the server logs.
package enum LogLevel: String, CaseIterable, Sendable {
    /// Failures only.
    case error
    /// Also a line per request.
    case info
}

/// The server's log, on standard error or in a file: one line per request, and one per failure. It never contains a header, key
/// or query value, nor an installation's id.
///
/// Each line is one `write`, so that lines of several threads do not mix.
package struct ServerLog: Sendable {
    package let format: LogFormat
    let level: LogLevel
    /// The names of routes, by `AccessLogEntry.route` from 1.
    var routeNames: [String] = []
    /// Nil for standard error.
    package var file: LogFile?

    package init(format: LogFormat, level: LogLevel, routeNames: [String] = [], file: LogFile? = nil) {
        self.format = format
        self.level = level
        self.routeNames = routeNames
        self.file = file
    }

    func request(_ entry: AccessLogEntry) {
        guard level == .info else { return }
        let time = Timestamp.now.rfc3339(fractionDigits: 3)
        put(format == .json ? json(entry, time) : text(entry, time))
    }

    /// Logs a failure with its cause.
    package func error(_ cause: String) { message(cause, level: .error) }

    /// Logs failures, and that they are over.
    func messages(_ list: [OperatorMessage]) {
        for message in list {
            switch message {
            case .failure(let text): error(text)
            case .recovery(let text): info(text)
            }
        }
    }

    /// Logs something that needs no action.
    func info(_ text: String) {
        guard level == .info else { return }
        message(text, level: .info)
    }

    /// Logs a note for the person who started the server, at any level. As text it has no time.
    package func notice(_ text: String) {
        format == .json || file != nil ? message(text, level: .info) : Self.putOnStandardError(text)
    }

    /// A line of the start in the log's format. The program prints it.
    package func startupLine(_ text: String) -> String {
        guard format == .json else { return text }
        let time = Timestamp.now.rfc3339(fractionDigits: 3)
        return Self.message(time, .info, text.trimmingCharacters(in: .whitespaces))
    }

    /// Continues in a new file, if the log is in one.
    func reopen() throws(ServerStartError) { try file?.reopen() }

    private func put(_ line: String) {
        if let file { file.line(line) } else { Self.putOnStandardError(line) }
    }

    private static func putOnStandardError(_ line: String) {
        _ = Descriptor.write(Array((line + "\n").utf8), to: STDERR_FILENO)
    }

    private func message(_ text: String, level: LogLevel) {
        let time = Timestamp.now.rfc3339(fractionDigits: 3)
        // The text of a failure may contain the path of its request.
        let text = InstallationLogName.redacted(text)
        put(format == .json ? Self.message(time, level, text) : "\(time) \(level.rawValue) \(text.printable)")
    }

    private static func message(_ time: String, _ level: LogLevel, _ text: String) -> String {
        line { line in
            line.member("time", time)
            line.member("level", level.rawValue)
            line.member("message", text)
        }
    }

    func text(_ entry: AccessLogEntry, _ time: String) -> String {
        var text = """
            \(time) \(entry.remoteAddress) \(entry.method?.rawValue ?? "-") \(Self.target(entry)) \
            \(entry.status.map(String.init) ?? "-") in=\(entry.requestBytes) out=\(entry.responseBytes) \
            \(Self.milliseconds(entry.duration))ms \(entry.requestID)
            """
        if let actor = entry.actor { text += " by=\(actor.printable)" }
        if !entry.isComplete { text += " cut" }
        if let reason = entry.endReason { text += " ended=\(reason.name)" }
        return text
    }

    func json(_ entry: AccessLogEntry, _ time: String) -> String {
        Self.line { line in
            line.member("time", time)
            line.member("level", "info")
            line.member("request", entry.requestID)
            line.member("client", entry.remoteAddress)
            if let method = entry.method { line.member("method", method.rawValue) }
            line.member("target", Self.target(entry))
            if let route = route(entry) { line.member("route", route) }
            if let status = entry.status { line.member("status", status) }
            line.member("bytesIn", Int(clamping: entry.requestBytes))
            line.member("bytesOut", Int(clamping: entry.responseBytes))
            line.member("microseconds", Int(clamping: entry.microseconds))
            if let actor = entry.actor { line.member("actor", actor) }
            line.member("complete", entry.isComplete)
            if let reason = entry.endReason { line.member("ended", reason.name) }
        }
    }

    private static func target(_ entry: AccessLogEntry) -> String { InstallationLogName.redacted(entry.target) }

    private func route(_ entry: AccessLogEntry) -> String? {
        routeNames.indices.contains(entry.route - 1) ? routeNames[entry.route - 1] : nil
    }

    private static func line(_ members: (inout JSONLine) -> Void) -> String {
        var line = JSONLine()
        line.object(members)
        return String(line.text.dropLast())
    }

    /// With one digit behind the decimal point.
    private static func milliseconds(_ duration: Duration) -> String {
        let tenths = duration.components.seconds * 10_000 + duration.components.attoseconds / 100_000_000_000_000
        return "\(tenths / 10).\(tenths % 10)"
    }
}

extension AccessLogEntry {
    var microseconds: UInt64 {
        let (seconds, attoseconds) = duration.components
        return UInt64(clamping: seconds) &* 1_000_000 &+ UInt64(clamping: attoseconds / 1_000_000_000_000)
    }
}
