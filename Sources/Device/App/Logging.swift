public import Foundation
import HearthConcurrency

/// How much this library says on standard error. Lower is graver.
public enum FirebaseLoggerLevel: Int, Sendable {
    case error = 3
    case warning = 4
    case notice = 5
    case info = 6
    case debug = 7

    /// Says least.
    public static var min: FirebaseLoggerLevel { .error }
    /// Says most.
    public static var max: FirebaseLoggerLevel { .debug }
}

/// Settings of the whole process. Use it from any thread.
public final class FirebaseConfiguration: NSObject, Sendable {
    private static let instance = FirebaseConfiguration()
    private let level = Lock(FirebaseLoggerLevel.notice)

    private override init() {}

    public class var shared: FirebaseConfiguration { instance }

    /// What is less grave than `loggerLevel` is not said from now on.
    public func setLoggerLevel(_ loggerLevel: FirebaseLoggerLevel) { level.withLock { $0 = loggerLevel } }

    /// `notice` until it is set.
    public func loggerLevel() -> FirebaseLoggerLevel { level.withLock { $0 } }
}

/// What the app's objects have to say besides errors: one line each on standard error, with the codes that people look
/// for. Never holds a key or a token.
package struct AppLog: Sendable {
    package static let core = AppLog(label: "FirebaseCore")
    package static let analytics = AppLog(label: "FirebaseAnalytics")
    package static let installations = AppLog(label: "FirebaseInstallations")

    private let label: String

    package func error(_ code: String, _ text: @autoclosure () -> String) { write(.error, code, text) }

    package func info(_ code: String, _ text: @autoclosure () -> String) { write(.info, code, text) }

    private func write(_ level: FirebaseLoggerLevel, _ code: String, _ text: () -> String) {
        guard level.rawValue <= FirebaseConfiguration.shared.loggerLevel().rawValue else { return }
        try? FileHandle.standardError.write(contentsOf: Data("[\(label)][\(code)] \(text())\n".utf8))
    }
}
