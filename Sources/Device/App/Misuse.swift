import Foundation

/// Where Google's library raises an exception: mistakes of the programmer, which end the process.
package enum Misuse {
    /// Says what is wrong and aborts, as an exception that nobody catches does: a debugger stops, and a core is dumped where
    /// that is wanted. Swift's own report of a crash would bury the sentence below fifty lines; it comes where
    /// `SWIFT_BACKTRACE` asks for it.
    package static func stop(_ text: String) -> Never {
        let isReported = CrashReport.willBePrinted(ProcessInfo.processInfo.environment)
        let hint = isReported ? "" : "To see where: run it in a debugger, or with \(CrashReport.variable)=enable=yes.\n"
        try? FileHandle.standardError.write(contentsOf: Data("Fatal error: \(text)\n\(hint)".utf8))
        if !isReported { CrashReport.suppress() }
        abort()
    }
}

/// What Swift's runtime prints when a process ends by a signal such as SIGABRT.
enum CrashReport {
    /// Set by whoever wants one, or none.
    static let variable = "SWIFT_BACKTRACE"

    /// Whether one follows where the process aborts, as the variable asks: the runtime has read it and has taken the signal, or has not,
    /// as with `enable=no`.
    static func willBePrinted(_ environment: [String: String]) -> Bool {
        !(environment[variable] ?? "").isEmpty && abortHandler != nil
    }

    /// Has SIGABRT end the process at once, if it is Swift's runtime that would take it. A crash reporter of the app's stays.
    static func suppress() {
        #if canImport(Glibc)
            guard let abortHandler, isInSwiftRuntime(abortHandler) else { return }
            signal(SIGABRT, SIG_DFL)
        #endif
    }

    /// The address of the function that takes SIGABRT; nil for the system's own ways. Wraps `sigaction`.
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

    /// Whether the address lies in the runtime's own library. Where the runtime is linked into the program it has none, and puts no
    /// handler there unasked: what takes the signal is the app's.
    private static func isInSwiftRuntime(_ address: UnsafeRawPointer) -> Bool {
        let library = LoadedLibrary(of: address)
        return library != nil
            && library == LoadedLibrary(of: unsafeBitCast(Int.self as Any.Type, to: UnsafeRawPointer.self))
            && library != LoadedLibrary(of: unsafeBitCast(Self.self as Any.Type, to: UnsafeRawPointer.self))
    }
}

/// A library of this process, or the program itself, by where it was loaded.
struct LoadedLibrary: Equatable {
    private let base: UnsafeRawPointer

    /// What the address of a function or of a constant lies in; nil where that cannot be told.
    init?(of address: UnsafeRawPointer) {
        #if canImport(Glibc)
            // Glibc hides `dladdr` and its result from Swift, but has them.
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
