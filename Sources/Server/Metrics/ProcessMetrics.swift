internal import Glibc

/// What the kernel knows about this process, under the names of Prometheus' own clients.
package enum ProcessMetrics {
    package static func add(to metrics: ServerMetrics) {
        metrics.add("process_resident_memory_bytes", .gauge, "Memory of the process that is in RAM.") {
            residentBytes
        }
        metrics.add(
            "process_cpu_seconds_total", .counter, "Processor time used by the process, in user and kernel mode."
        ) {
            processorSeconds
        }
        metrics.add("process_open_fds", .gauge, "Open file descriptors.") { openDescriptors }
        metrics.add("process_max_fds", .gauge, "The most file descriptors that may be open.") { descriptorLimit }
        let start = startSeconds
        metrics.add("process_start_time_seconds", .gauge, "When the process started, in seconds since 1970.") { start }
    }

    private static var residentBytes: Double? {
        // In pages: total, resident, and fields that are not needed here.
        guard let pages = words(of: "/proc/self/statm").dropFirst().first.flatMap({ Double($0) }) else { return nil }
        return pages * Double(sysconf(Int32(_SC_PAGESIZE)))
    }

    private static var processorSeconds: Double? {
        var time = timespec()
        guard clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time) == 0 else { return nil }
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }

    private static var openDescriptors: Double? {
        guard let folder = opendir("/proc/self/fd") else { return nil }
        defer { closedir(folder) }
        var count = 0
        while readdir(folder) != nil { count += 1 }
        // Without the two dot entries and the descriptor of this listing.
        return Double(count - 3)
    }

    private static var descriptorLimit: Double? {
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return nil }
        return Double(limit.rlim_cur)
    }

    /// Field 22 of the process's `stat` is its start in clock ticks since the machine's start, and `btime` is the time
    /// of that start.
    private static var startSeconds: Double? {
        // The program's name may contain blanks; it ends with the last parenthesis.
        let stat = contents(of: "/proc/self/stat")
        guard let name = stat.lastIndex(of: ")") else { return nil }
        let fields = stat[stat.index(after: name)...].split(separator: " ")
        let machine = contents(of: "/proc/stat").split(separator: "\n").first { $0.hasPrefix("btime ") }
        guard fields.count > 19, let ticks = Double(fields[19]),
            let start = machine.flatMap({ Double($0.dropFirst(6)) })
        else { return nil }
        return start + ticks / Double(sysconf(Int32(_SC_CLK_TCK)))
    }

    private static func words(of path: String) -> [Substring] {
        contents(of: path).split(whereSeparator: \.isWhitespace)
    }

    private static func contents(of path: String) -> String {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return "" }
        defer { close(descriptor) }
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 4096)
        while bytes.count < 1 << 20 {
            let count = read(descriptor, &chunk, chunk.count)
            guard count > 0 else { break }
            bytes += chunk[..<count]
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
