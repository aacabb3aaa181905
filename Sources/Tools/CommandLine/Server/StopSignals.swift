import Glibc

/// SIGINT and SIGTERM as something to wait for: blocked in every thread, taken by the one that waits.
struct StopSignals {
    private var set = sigset_t()

    /// Blocks the signals in this thread and in those that it will start.
    init() {
        sigemptyset(&set)
        sigaddset(&set, SIGINT)
        sigaddset(&set, SIGTERM)
        pthread_sigmask(SIG_BLOCK, &set, nil)
    }

    /// The name of the signal that came.
    func wait() -> String {
        var set = set
        var number: Int32 = 0
        while sigwait(&set, &number) != 0 {}
        return number == SIGINT ? "SIGINT" : "SIGTERM"
    }
}
