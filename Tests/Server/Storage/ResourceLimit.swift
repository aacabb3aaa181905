import Glibc

/// Limits of this process. Only for a process that a test started for itself.
enum ResourceLimit {
    /// Makes every file of more than `bytes` fail to grow, as on a full disk.
    static func fileSize(bytes: UInt) {
        signal(SIGXFSZ, SIG_IGN)
        var limit = rlimit(rlim_cur: bytes, rlim_max: bytes)
        precondition(setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit) == 0)
    }

    /// Runs `body` while the process has as many files open as it may.
    static func withAllFilesOpen(_ body: () throws -> Void) rethrows {
        var limit = rlimit()
        getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        limit.rlim_cur = min(limit.rlim_cur, 256)
        precondition(setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0)
        let more = sequence(first: open("/dev/null", O_RDONLY)) { $0 < 0 ? nil : dup($0) }.filter { $0 >= 0 }
        defer { more.forEach { close($0) } }
        try body()
    }
}
