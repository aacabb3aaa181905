import HearthCatalog
import HearthIdentity

/// A caller whose work waits in a queue. Calls of one project share a queue.
package protocol QueueKeyed: Sendable {
    /// The id of a project; empty for calls about the whole server.
    var queueKey: String { get }
}

extension AdminCall: QueueKeyed {
    package var queueKey: String { project.id }
}

extension Principal: QueueKeyed {
    var queueKey: String { "" }
}

extension Installation: QueueKeyed {
    var queueKey: String { projectID }
}
