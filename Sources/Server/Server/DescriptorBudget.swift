import Glibc
package import HearthHTTP

/// How many connections a server can serve with the file descriptors that it may open, so that its peers cannot use up all of
/// them.
///
/// A connection needs one descriptor for its socket and one for the file that it sends or receives.
struct DescriptorBudget: Equatable {
    static let perConnection = 2
    /// With these a thread watches its sockets, and is woken.
    static let perThread = 2
    /// For the database, locks, the log and validations: a few dozen, and some to spare.
    static let ownDescriptors = 128
    /// For sockets of refused uploads, which stay open for a moment.
    static let lingeringDescriptors = 256

    /// The maximum number of open connections.
    let connections: Int
    /// For the operator, if that is less than the setting.
    let note: String?

    init(connections wanted: Int, threads: Int, limit: OpenFileLimit) {
        let needed = Self.needed(connections: wanted, threads: threads)
        guard let allowed = limit.soft, allowed < needed else {
            connections = wanted
            note = nil
            return
        }
        // With very few descriptors only half of them, so that peers get some.
        let reserve = min(Self.reserve(threads: threads), allowed / 2)
        connections = min(wanted, max(threads, (allowed - reserve) / Self.perConnection))
        note = """
            serving at most \(connections) connections, not \(wanted), because this process may open only \(allowed) files; \
            raise its hard limit to \(needed) (LimitNOFILE= of a systemd unit, ulimit -Hn of a shell)
            """
    }

    /// How many descriptors this number of connections needs.
    static func needed(connections: Int, threads: Int) -> Int {
        connections * perConnection + reserve(threads: threads)
    }

    private static func reserve(threads: Int) -> Int {
        ownDescriptors + lingeringDescriptors + threads * perThread
    }
}

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
