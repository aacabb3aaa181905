import Foundation

/// What Swift's runtime prints when a process ends by a signal such as SIGABRT.
enum CrashReport {
    /// Set by whoever wants one, or none.
    static let variable = "SWIFT_BACKTRACE"

    /// Whether one follows where the process aborts, as the variable asks: the runtime has read it and has taken the signal, or has not,
    /// as with `enable=no`.
    static func isComing(_ environment: [String: String]) -> Bool {
        !(environment[variable] ?? "").isEmpty && handlerOfAbort != nil
    }

    /// Has SIGABRT end the process at once, if it is Swift's runtime that would take it. A crash reporter of the app's stays.
    static func takeAway() {
        #if canImport(Glibc)
            guard let handlerOfAbort, isInSwiftRuntime(handlerOfAbort) else { return }
            signal(SIGABRT, SIG_DFL)
        #endif
    }

    /// The address of the function that takes SIGABRT; nil for the system's own ways. Wraps `sigaction`.
    private static var handlerOfAbort: UnsafeRawPointer? {
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

    /// Whether the address lies in the runtime's own library. Where the runtime is linked into the program it has none, and puts no
    /// handler there unasked: what takes the signal is the app's.
    private static func isInSwiftRuntime(_ address: UnsafeRawPointer) -> Bool {
        let library = LoadedLibrary(of: address)
        return library != nil
            && library == LoadedLibrary(of: unsafeBitCast(Int.self as Any.Type, to: UnsafeRawPointer.self))
            && library != LoadedLibrary(of: unsafeBitCast(Self.self as Any.Type, to: UnsafeRawPointer.self))
    }
}
