import HearthStorage
import HearthStorageSQL

/// A state of what is served, as the database names it: a number that grows by one with each change, and a mark that the
/// change drew at random.
///
/// The number says which of two states of one database is newer. Two databases that were one, such as a server and its
/// promoted copy, give the same numbers to different changes. So marks are compared for equality, and the database says
/// which marks its own history contains.
struct ServingMark: Sendable, Hashable {
    let revision: Int64
    let mark: String
}

/// What the database says about its state, and about one that the server knew.
struct ServingAnswer: Sendable {
    /// The state that the server knew when it asked.
    let asked: ServingMark
    let present: ServingMark
    /// Whether the present state has come from that one.
    let continuesAsked: Bool
}

extension ServingMark {
    private init(_ row: SQLRow) { self.init(revision: row.integer(.revision), mark: row.text(.mark)) }

    /// - Throws: `.unavailable` if the database has other data now than those of `folderID`.
    static func ask(
        _ connection: PostgresConnection, about known: ServingMark, of folderID: String
    ) throws(StorageError) -> ServingAnswer {
        let answer = try connection.row(
            """
            SELECT (SELECT id FROM folder) AS folder, revision, mark,
                EXISTS (SELECT FROM serving_mark AS known WHERE known.mark = ?) AS is_known
            FROM serving
            """, [.text(known.mark)]
        ) { row in
            (
                row.text(.folder),
                ServingAnswer(asked: known, present: ServingMark(row), continuesAsked: row.bool(.is_known))
            )
        }
        guard let (found, answer) = answer else { throw Self.lost }
        guard found == folderID else {
            throw StorageError(
                .unavailable,
                """
                The database has other data now (\(found)) than those that this server was started with (\(folderID)). \
                Start the server again over the right database
                """)
        }
        return answer
    }

    /// Whether the database's own history has the mark.
    static func contains(_ mark: String, _ connection: PostgresConnection) throws(StorageError) -> Bool {
        try connection.integer("SELECT EXISTS (SELECT FROM serving_mark AS known WHERE known.mark = ?)", [.text(mark)])
            == 1
    }

    static func read(_ connection: PostgresConnection) throws(StorageError) -> ServingMark {
        let present = try connection.row("SELECT revision, mark FROM serving", [], ServingMark.init)
        guard let present else { throw Self.lost }
        return present
    }

    /// Draws the next mark, as part of the transaction. A trigger does it, so that servers of the version before, which only
    /// raise the number, leave marks too.
    ///
    /// The row is a point where changes of what is served meet: they get their numbers in the order of their commits.
    static func advance(
        _ connection: PostgresConnection
    ) throws(StorageError) -> (before: ServingMark, after: ServingMark) {
        let change = try connection.row(
            """
            UPDATE serving SET revision = serving.revision + 1
            FROM (SELECT revision, mark FROM serving FOR UPDATE) AS old
            RETURNING old.revision AS old_revision, old.mark AS old_mark, serving.revision, serving.mark
            """
        ) { row in
            (ServingMark(revision: row.integer(.old_revision), mark: row.text(.old_mark)), ServingMark(row))
        }
        guard let change else { throw Self.lost }
        return change
    }

    private static let lost = StorageError(.corrupt, "The database has lost the revision of what is served")
}
