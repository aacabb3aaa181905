import Glibc
package import HearthHTTP

/// How many files a process may have open (`RLIMIT_NOFILE`).
package struct OpenFileLimit: Equatable {
    /// The present limit; nil for no limit.
    var soft: Int?
    /// The highest value of the soft limit; nil for no limit.
    var hard: Int?

    package init(soft: Int? = nil, hard: Int? = nil) {
        self.soft = soft
        self.hard = hard
    }

    package static var ofProcess: OpenFileLimit {
        var limit = rlimit()
        guard getrlimit(resource, &limit) == 0 else { return OpenFileLimit() }
        return OpenFileLimit(soft: number(limit.rlim_cur), hard: number(limit.rlim_max))
    }

    /// The soft limit that these connections need, within the hard limit; never less than now.
    func soft(for connections: ServerLimits) -> Int? {
        guard let soft else { return nil }
        let needed = DescriptorBudget.needed(connections: connections.connections, threads: connections.threads)
        return max(soft, hard.map { min(needed, $0) } ?? needed)
    }

    /// Raises the soft limit of the process for these connections. Returns the limits afterwards.
    package func raised(for connections: ServerLimits) -> OpenFileLimit {
        guard let wanted = soft(for: connections), wanted != soft else { return self }
        var limit = rlimit()
        guard getrlimit(Self.resource, &limit) == 0 else { return self }
        limit.rlim_cur = rlim_t(wanted)
        _ = setrlimit(Self.resource, &limit)
        return Self.ofProcess
    }

    private static let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)

    private static func number(_ value: rlim_t) -> Int? { value == rlim_t.max ? nil : Int(clamping: value) }
}
