import HearthCatalog
import HearthStorage

/// The last calls of devices, for people who look for one.
extension SQLSession {
    func recentCalls(project: String, model: String) throws -> [RecentCall] {
        try connection.rows(
            """
            SELECT \(Columns.recentCall) FROM recent_call WHERE project = ? AND model = ?
            ORDER BY at_us DESC, installation
            """, [.text(project), .text(model)], Columns.recentCall)
    }

    func recentCall(_ installation: String, project: String, model: String) throws -> RecentCall? {
        try connection.row(
            "SELECT \(Columns.recentCall) FROM recent_call WHERE project = ? AND model = ? AND installation = ?",
            [.text(project), .text(model), .text(installation)], Columns.recentCall)
    }

    func put(_ calls: [RecentCall], keeping: Int) throws {
        for call in calls where try project(id: call.projectID) != nil {
            try connection.run(
                """
                INSERT INTO recent_call (\(Columns.recentCall)) VALUES (?, ?, ?, ?, ?)
                ON CONFLICT (project, model, installation) DO UPDATE SET facts = excluded.facts, at_us = excluded.at_us
                    WHERE recent_call.at_us < excluded.at_us
                """,
                [
                    .text(call.projectID), .text(call.model), .text(call.installation), .text(call.facts),
                    .integer(call.atMicroseconds),
                ])
        }
        try connection.run(
            """
            DELETE FROM recent_call
            WHERE at_us <= (SELECT at_us FROM recent_call ORDER BY at_us DESC LIMIT 1 OFFSET ?)
            """, [.integer(Int64(keeping))])
    }

    func deleteRecentCalls(of installation: String, project: String) throws {
        try connection.run(
            "DELETE FROM recent_call WHERE project = ? AND installation = ?", [.text(project), .text(installation)])
    }
}

extension Columns {
    static let recentCall = "project, model, installation, facts, at_us"

    static func recentCall(_ row: any SQLRow) throws(StorageError) -> RecentCall {
        RecentCall(
            projectID: row.text(0), model: row.text(1), installation: row.text(2), facts: row.text(3),
            atMicroseconds: row.integer(4))
    }
}
