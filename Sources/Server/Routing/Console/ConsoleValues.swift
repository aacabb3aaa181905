import HearthCatalog
import HearthStorage

/// What the console keeps between two requests of a browser, where several servers answer it: drafts, and which forms
/// were sent. It is in the database and disappears with the session. Calls wait for the database.
package final class ConsoleValues: Sendable {
    /// The most drafts of a session; for a new one, the oldest one goes.
    static let draftsPerSession = 4
    /// The most characters of all drafts together; the oldest ones go.
    static let draftCharacters = 128 << 20
    /// The most forms of a session; the oldest ones go.
    static let formsPerSession = 1000

    private let context: RouteContext

    /// Nil for a server that is alone: then its memory is enough.
    init?(_ context: RouteContext) {
        guard context.metadata.coordination.isShared else { return nil }
        self.context = context
    }

    private static func name(ofDraft name: String) -> String { "draft " + name }
    private static func name(ofForm id: String) -> String { "form " + id }

    /// - Parameter session: the session's id.
    package func draft(_ name: String, session: String) throws -> String? {
        try context.metadata.read { try $0.consoleValue(Self.name(ofDraft: name), session: session) }?.value
    }

    package func keepDraft(_ text: String, _ name: String, session: String) throws {
        let value = ConsoleValue(
            sessionID: session, name: Self.name(ofDraft: name), value: text,
            usedMicroseconds: context.nowMicroseconds)
        try context.metadata.write { store in
            // It may have ended meanwhile.
            guard try store.consoleSession(id: session) != nil else { return }
            try store.put(value)
            try store.trimConsoleValues(
                beginningWith: Self.name(ofDraft: ""), session: session, mostOfSession: Self.draftsPerSession,
                mostCharacters: Self.draftCharacters)
        }
    }

    package func removeDraft(_ name: String, session: String) throws {
        _ = try context.metadata.write {
            try $0.deleteConsoleValue(Self.name(ofDraft: name), session: session)
        }
    }

    /// Notes that the form is sent.
    ///
    /// - Returns: false if it was sent before, to any server.
    package func takeForm(_ id: String, session: String) throws -> Bool {
        let value = ConsoleValue(
            sessionID: session, name: Self.name(ofForm: id), value: "x", usedMicroseconds: context.nowMicroseconds)
        return try context.metadata.write { store in
            guard try store.consoleSession(id: session) != nil,
                try store.consoleValue(value.name, session: session) == nil
            else { return false }
            try store.put(value)
            try store.trimConsoleValues(
                beginningWith: Self.name(ofForm: ""), session: session, mostOfSession: Self.formsPerSession,
                mostCharacters: nil)
            return true
        }
    }

    /// Lets a form be sent again that made nothing.
    package func giveBackForm(_ id: String, session: String) throws {
        _ = try context.metadata.write {
            try $0.deleteConsoleValue(Self.name(ofForm: id), session: session)
        }
    }
}
