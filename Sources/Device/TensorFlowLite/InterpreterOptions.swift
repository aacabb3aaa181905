extension Interpreter {
    /// How an interpreter runs its model.
    public struct Options: Equatable, Hashable, Sendable {
        /// The number of CPU threads that one run uses. nil means one; 0 and negative numbers are ignored. More
        /// threads than the machine has processors are not started. Results do not depend on it.
        public var threadCount: Int? = nil

        /// Kept for existing apps. The engine runs every model with XNNPACK, whatever this says, as the TensorFlow
        /// Lite library itself has long done.
        public var isXNNPackEnabled: Bool = false

        /// What the engine and the interpreter write to standard error.
        public var logLevel: LogLevel = .silent

        public init() {}
    }
}

extension Interpreter.Options {
    /// How much is written to standard error. Each level includes those before it.
    ///
    /// The engine has one level for the whole process: the most talkative one that any interpreter was made with.
    public enum LogLevel: Int, Comparable, Hashable, Sendable {
        /// Nothing.
        case silent
        /// Why a call failed, where its error cannot say so.
        case error
        case warning
        case info

        public static func < (left: Self, right: Self) -> Bool {
            left.rawValue < right.rawValue
        }
    }
}
