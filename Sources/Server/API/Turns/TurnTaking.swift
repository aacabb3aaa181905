import HearthCatalog
import HearthIdentity

/// Who waits for a turn: calls of one project wait for each other.
protocol TurnTaking: Sendable {
    /// The id of a project; empty for calls about the server as a whole.
    var turn: String { get }
}

extension AdminCall: TurnTaking {
    var turn: String { project.id }
}

extension Principal: TurnTaking {
    var turn: String { "" }
}

extension Installation: TurnTaking {
    var turn: String { projectID }
}
