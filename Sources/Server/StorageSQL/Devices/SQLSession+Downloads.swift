import HearthCatalog
import HearthStorage

/// The last calls of devices, for people who look for one.
extension SQLSession {
    func recentCalls(project: String, model: String) throws -> [RecentCall] {
        try records(
            "WHERE project = ? AND model = ? ORDER BY at_us DESC, installation", [.text(project), .text(model)])
    }

    func recentCall(_ installation: String, project: String, model: String) throws -> RecentCall? {
        try record(key: [.text(project), .text(model), .text(installation)])
    }

    func put(_ calls: [RecentCall], keeping: Int) throws {
        for call in calls where try project(id: call.projectID) != nil {
            try connection.run(
                "\(RecentCall.table.replacement) WHERE recent_call.at_us < excluded.at_us", call.values())
        }
        try connection.run(
            """
            DELETE FROM recent_call
            WHERE at_us <= (SELECT at_us FROM recent_call ORDER BY at_us DESC LIMIT 1 OFFSET ?)
            """, [.int(keeping)])
    }

    func deleteRecentCalls(of installation: String, project: String) throws {
        try connection.run(
            "DELETE FROM recent_call WHERE project = ? AND installation = ?", [.text(project), .text(installation)])
    }
}

extension RecentCall: SQLRecord {
    static let table = SQLTable(
        "recent_call", [.project, .model, .installation, .facts, .at_us], key: [.project, .model, .installation])

    init(_ row: SQLRow) {
        self.init(
            projectID: row.text(.project), model: row.text(.model), installation: row.text(.installation),
            facts: row.text(.facts), atMicroseconds: row.integer(.at_us))
    }

    func values() -> [SQLValue] {
        [.text(projectID), .text(model), .text(installation), .text(facts), .integer(atMicroseconds)]
    }
}
