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
