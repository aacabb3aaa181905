import Glibc

/// Limits of this process. Only for a process that a test started for itself.
enum ResourceLimit {
    /// Makes every file of more than `bytes` fail to grow, as on a full disk.
    static func fileSize(bytes: UInt) {
        signal(SIGXFSZ, SIG_IGN)
        var limit = rlimit(rlim_cur: bytes, rlim_max: bytes)
        precondition(setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit) == 0)
    }
}
