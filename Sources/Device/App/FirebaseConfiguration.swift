public import Foundation
import Synchronization

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
    private let level = Mutex(FirebaseLoggerLevel.notice)

    private override init() {}

    public class var shared: FirebaseConfiguration { instance }

    /// What is less grave than `loggerLevel` is not said from now on.
    public func setLoggerLevel(_ loggerLevel: FirebaseLoggerLevel) { level.withLock { $0 = loggerLevel } }

    /// `notice` until it is set.
    public func loggerLevel() -> FirebaseLoggerLevel { level.withLock { $0 } }
}
