public import Foundation
import HearthConcurrency

/// How much this library writes to standard error. A lower number is more severe.
public enum FirebaseLoggerLevel: Int, Sendable {
    /// Failures.
    case error = 3
    /// Possible mistakes.
    case warning = 4
    /// Notable events; the default.
    case notice = 5
    /// Information.
    case info = 6
    /// Details for debugging.
    case debug = 7

    /// The level with the fewest messages.
    public static var min: FirebaseLoggerLevel { .error }
    /// The level with the most messages.
    public static var max: FirebaseLoggerLevel { .debug }
}

/// Settings of the whole process. Use it from any thread.
public final class FirebaseConfiguration: NSObject, Sendable {
    private static let instance = FirebaseConfiguration()
    private let level = Lock(FirebaseLoggerLevel.notice)

    private override init() {}

    /// The settings object of the process.
    public class var shared: FirebaseConfiguration { instance }

    /// Suppresses messages that are less severe than `loggerLevel` from now on.
    public func setLoggerLevel(_ loggerLevel: FirebaseLoggerLevel) { level.withLock { $0 = loggerLevel } }

    /// The current level; `notice` by default.
    public func loggerLevel() -> FirebaseLoggerLevel { level.withLock { $0 } }
}

/// Messages of the app's objects besides errors: one line each on standard error, with the original's message codes,
/// for which developers search. Callers must not pass keys or tokens.
package struct AppLog: Sendable {
    package static let core = AppLog(label: "FirebaseCore")
    package static let analytics = AppLog(label: "FirebaseAnalytics")
    package static let installations = AppLog(label: "FirebaseInstallations")

    private let label: String

    /// Writes a line of level `error`.
    package func error(_ code: String, _ text: @autoclosure () -> String) { write(.error, code, text) }

    /// Writes a line of level `info`.
    package func info(_ code: String, _ text: @autoclosure () -> String) { write(.info, code, text) }

    private func write(_ level: FirebaseLoggerLevel, _ code: String, _ text: () -> String) {
        guard level.rawValue <= FirebaseConfiguration.shared.loggerLevel().rawValue else { return }
        try? FileHandle.standardError.write(contentsOf: Data("[\(label)][\(code)] \(text())\n".utf8))
    }
}
