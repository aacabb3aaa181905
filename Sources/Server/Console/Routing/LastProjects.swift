import HearthConcurrency

/// The project that each session saw last, for the menu of pages that belong to no project. Another server process does not
/// know it, and shows the first project.
final class LastProjects: Sendable {
    /// More sessions than that begin anew; each forgotten one gets the first project.
    private static let limit = 1000
    private let projects = Lock<[String: String]>([:])

    subscript(session: String) -> String? {
        get { projects.withLock { $0[session] } }
        set {
            projects.withLock { all in
                if all.count >= Self.limit, all[session] == nil { all.removeAll() }
                all[session] = newValue
            }
        }
    }
}
