import Foundation

/// What Swift's runtime prints when a process ends by a signal such as SIGABRT.
enum CrashReport {
    /// Set by whoever wants one, or none.
    static let variable = "SWIFT_BACKTRACE"

    static func isWanted(_ environment: [String: String]) -> Bool { !(environment[variable] ?? "").isEmpty }

    /// Has SIGABRT end the process at once, if it is Swift's runtime that would take it. A crash reporter of the app's stays.
    static func takeAway() {
        #if canImport(Glibc)
            // The runtime takes SIGQUIT by the same function; reporters leave that one to whoever asks for a core.
            guard let handler = Self.handler(SIGABRT), handler == Self.handler(SIGQUIT) else { return }
            signal(SIGABRT, SIG_DFL)
        #endif
    }

    #if canImport(Glibc)
        /// The address of the function that takes the signal; nil for the system's own ways. Wraps `sigaction`.
        private static func handler(_ number: Int32) -> UInt? {
            var action = sigaction()
            guard sigaction(number, nil, &action) == 0 else { return nil }
            let address = unsafeBitCast(action.__sigaction_handler, to: UInt.self)
            // SIG_DFL and SIG_IGN.
            return address > 1 ? address : nil
        }
    #endif
}
