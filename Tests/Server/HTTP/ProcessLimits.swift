import Glibc

/// What the test's process has and may have.
enum ProcessLimits {
    /// A thousand, or what the limit on descriptors allows: each connection takes one at either end.
    static var manyConnections: Int {
        var files = rlimit()
        getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &files)
        return min(1000, Int(clamping: files.rlim_cur) / 2 - 100)
    }

    static var threadCount: Int {
        var count = 0
        guard let folder = opendir("/proc/self/task") else { return 0 }
        while readdir(folder) != nil { count += 1 }
        closedir(folder)
        return count
    }
}
