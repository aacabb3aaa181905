import Glibc
import HearthHTTP

/// How many files a process may have open at once (`RLIMIT_NOFILE`).
struct OpenFileLimit: Equatable {
    /// What counts now; nil for any number.
    var soft: Int?
    /// What the process may raise it to; nil for any number.
    var hard: Int?

    static var ofProcess: OpenFileLimit {
        var limit = rlimit()
        guard getrlimit(resource, &limit) == 0 else { return OpenFileLimit() }
        return OpenFileLimit(soft: number(limit.rlim_cur), hard: number(limit.rlim_max))
    }

    /// The soft limit that so many connections need, as far as the hard one allows; never less than now.
    func soft(for connections: ServerLimits) -> Int? {
        guard let soft else { return nil }
        let needed = DescriptorBudget.needed(connections: connections.connections, threads: connections.threads)
        return max(soft, hard.map { min(needed, $0) } ?? needed)
    }

    /// Raises the soft limit of the process, whose limit this is, for so many connections. What it is then.
    func raised(for connections: ServerLimits) -> OpenFileLimit {
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
