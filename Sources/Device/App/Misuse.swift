import Foundation

/// Ends the process where Google's library raises an exception: after mistakes of the programmer.
package enum Misuse {
    /// Writes the text and aborts, as an uncaught exception does: a debugger stops, and the system writes a core dump
    /// if that is enabled. Swift's own crash report would hide the text behind fifty lines, so it appears only if
    /// `SWIFT_BACKTRACE` asks for it.
    package static func stop(_ text: String) -> Never {
        let isReported = CrashReport.willBePrinted(ProcessInfo.processInfo.environment)
        let hint = isReported ? "" : "To see where: run it in a debugger, or with \(CrashReport.variable)=enable=yes.\n"
        try? FileHandle.standardError.write(contentsOf: Data("Fatal error: \(text)\n\(hint)".utf8))
        if !isReported { CrashReport.suppress() }
        CrashReport.unblock()
        abort()
    }
}

/// The report that Swift's runtime prints when a signal such as SIGABRT ends the process.
enum CrashReport {
    /// The environment variable that enables or disables the report.
    static let variable = "SWIFT_BACKTRACE"

    /// Whether a report follows an abort: the variable is set, and the runtime handles the signal because of it. With
    /// `enable=no` it does not.
    static func willBePrinted(_ environment: [String: String]) -> Bool {
        !(environment[variable] ?? "").isEmpty && abortHandler != nil
    }

    /// Removes the handler of SIGABRT if it is that of Swift's runtime, so that the signal ends the process
    /// immediately. A crash reporter of the app stays.
    static func suppress() {
        #if canImport(Glibc)
            guard let abortHandler, isInSwiftRuntime(abortHandler) else { return }
            signal(SIGABRT, SIG_DFL)
        #endif
    }

    /// Lets the signal reach its handler on this thread. Dispatch blocks it on its threads, and `abort` of newer versions of
    /// glibc (seen in 2.43) then ends the process without calling a crash reporter of the app.
    static func unblock() {
        #if canImport(Glibc)
            var signals = sigset_t()
            sigemptyset(&signals)
            sigaddset(&signals, SIGABRT)
            pthread_sigmask(SIG_UNBLOCK, &signals, nil)
        #endif
    }

    /// The address of the function that handles SIGABRT; nil for the system's default actions. Wraps `sigaction`.
    private static var abortHandler: UnsafeRawPointer? {
        #if canImport(Glibc)
            var action = sigaction()
            guard sigaction(SIGABRT, nil, &action) == 0 else { return nil }
            let address = unsafeBitCast(action.__sigaction_handler, to: UInt.self)
            // SIG_DFL and SIG_IGN.
            return address > 1 ? UnsafeRawPointer(bitPattern: address) : nil
        #else
            return nil
        #endif
    }

    /// Whether the address is in the runtime's own library. If the runtime is linked into the program, that library
    /// does not exist; then the runtime installs no handler unless the variable asks for one, so the handler is the
    /// app's.
    private static func isInSwiftRuntime(_ address: UnsafeRawPointer) -> Bool {
        let library = LoadedLibrary(of: address)
        return library != nil
            && library == LoadedLibrary(of: unsafeBitCast(Int.self as Any.Type, to: UnsafeRawPointer.self))
            && library != LoadedLibrary(of: unsafeBitCast(Self.self as Any.Type, to: UnsafeRawPointer.self))
    }
}

/// A library of this process, or the program itself, identified by the address at which it was loaded.
struct LoadedLibrary: Equatable {
    private let base: UnsafeRawPointer

    /// Finds the library of a function's or constant's address; nil when it cannot be found.
    init?(of address: UnsafeRawPointer) {
        #if canImport(Glibc)
            // Glibc has `dladdr` and its result type, but hides them from Swift.
            guard let function = dlsym(nil, "dladdr") else { return nil }
            typealias Look = @convention(c) (UnsafeRawPointer, UnsafeMutableRawPointer) -> Int32
            var found = Answer()
            let isFound = withUnsafeMutablePointer(to: &found) {
                unsafeBitCast(function, to: Look.self)(address, $0)
            }
            guard isFound != 0, let base = found.base else { return nil }
            self.base = base
        #else
            return nil
        #endif
    }

    /// `Dl_info` of `dlfcn.h`.
    private struct Answer {
        var path: UnsafePointer<CChar>?
        var base: UnsafeRawPointer?
        var symbolName: UnsafePointer<CChar>?
        var symbol: UnsafeRawPointer?
    }
}
