import Glibc

/// The signals that a process brings upon itself. Others come from outside, such as the system's when memory is short.
enum CrashSignals {
    static let all: Set = [SIGILL, SIGTRAP, SIGABRT, SIGBUS, SIGFPE, SIGSEGV, SIGSYS]
}
