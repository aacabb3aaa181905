import Foundation

/// Where Google's library raises an exception: mistakes of the programmer, which end the process.
package enum Misuse {
    /// Says what is wrong and aborts, as an exception that nobody catches does: a debugger stops, and a core is dumped where
    /// that is wanted. Swift's own report of a crash would bury the sentence below fifty lines; it comes where
    /// `SWIFT_BACKTRACE` asks for it.
    package static func stop(_ text: String) -> Never {
        let isReported = CrashReport.isComing(ProcessInfo.processInfo.environment)
        let hint = isReported ? "" : "To see where: run it in a debugger, or with \(CrashReport.variable)=enable=yes.\n"
        try? FileHandle.standardError.write(contentsOf: Data("Fatal error: \(text)\n\(hint)".utf8))
        if !isReported { CrashReport.takeAway() }
        abort()
    }
}
