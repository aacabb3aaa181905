import Glibc
package import HearthHTTP

/// How many connections a server can serve with the file descriptors that it may open, so that it never runs out of them
/// because of its peers.
///
/// A connection needs one for its socket and one for the file that it sends or receives. The rest is the server's own.
struct DescriptorBudget: Equatable {
    static let perConnection = 2
    /// What each thread watches its sockets with, and what wakes it.
    static let perThread = 2
    /// Database, lock, log, checks of files: a few dozen, and some to spare.
    static let ownDescriptors = 128
    /// Sockets of refused uploads, which are kept open for a moment.
    static let lingeringDescriptors = 256

    /// At once.
    let connections: Int
    /// For the operator, where these are fewer than were asked for.
    let note: String?

    init(connections wanted: Int, threads: Int, limit: OpenFileLimit) {
        let needed = Self.needed(connections: wanted, threads: threads)
        guard let allowed = limit.soft, allowed < needed else {
            connections = wanted
            note = nil
            return
        }
        // Of a very small number half, so that something is left for peers.
        let reserve = min(Self.reserve(threads: threads), allowed / 2)
        connections = min(wanted, max(threads, (allowed - reserve) / Self.perConnection))
        note = """
            serving \(connections) connections at once in place of \(wanted), because this process may have \(allowed) files \
            open; raise its hard limit to \(needed) (LimitNOFILE= of a systemd unit, ulimit -Hn of a shell)
            """
    }

    /// Of descriptors, so that none of so many connections has to be done without.
    static func needed(connections: Int, threads: Int) -> Int {
        connections * perConnection + reserve(threads: threads)
    }

    private static func reserve(threads: Int) -> Int {
        ownDescriptors + lingeringDescriptors + threads * perThread
    }
}

/// How many files a process may have open at once (`RLIMIT_NOFILE`).
package struct OpenFileLimit: Equatable {
    /// What counts now; nil for any number.
    var soft: Int?
    /// What the process may raise it to; nil for any number.
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

    /// The soft limit that so many connections need, as far as the hard one allows; never less than now.
    func soft(for connections: ServerLimits) -> Int? {
        guard let soft else { return nil }
        let needed = DescriptorBudget.needed(connections: connections.connections, threads: connections.threads)
        return max(soft, hard.map { min(needed, $0) } ?? needed)
    }

    /// Raises the soft limit of the process, whose limit this is, for so many connections. What it is then.
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
