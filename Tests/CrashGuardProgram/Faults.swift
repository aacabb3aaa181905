import Glibc

/// What a fault of an engine does, and the handlers that a program may have before it uses Hearth.
enum Faults {
    static func fail(_ signal: Int32) -> Never {
        if signal == SIGSEGV, let nowhere = UnsafeMutablePointer<Int>(bitPattern: 16) { nowhere.pointee = 1 }
        if signal == SIGABRT { abort() }
        raise(signal)
        exit(9)
    }

    static func overflowStack() -> Never {
        exit(Int32(truncatingIfNeeded: depth(1)))
    }

    private static func depth(_ count: Int) -> Int { count == -1 ? 0 : depth(count + 1) + Int(getpid()) }

    static func waitForEver() -> Never {
        while true { sleep(1000) }
    }

    /// - Parameter kind: `ignore`, `simple` or `full`.
    static func setHandler(_ kind: String, _ signal: Int32) {
        var action = sigaction()
        switch kind {
        case "ignore": action.__sigaction_handler = .init(sa_handler: SIG_IGN)
        case "simple": action.__sigaction_handler = .init(sa_handler: { _ in Faults.end("simple handler\n", 21) })
        default:
            action.__sigaction_handler = .init(sa_sigaction: { _, info, context in
                Faults.end(info != nil && context != nil ? "full handler\n" : "no information\n", 22)
            })
            action.sa_flags = SA_SIGINFO
        }
        sigaction(signal, &action, nil)
    }

    private static func end(_ text: StaticString, _ exitCode: Int32) {
        _ = write(1, text.utf8Start, text.utf8CodeUnitCount)
        _exit(exitCode)
    }
}
