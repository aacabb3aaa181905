import HearthCatalog
import HearthStorage

extension SQLiteSession {
    func journal(_ name: String, installation: String, project: String) throws -> EventJournal? {
        try connection.row(
            "SELECT \(Columns.journal) FROM event_journal WHERE project = ? AND installation = ? AND name = ?",
            [.text(project), .text(installation), .text(name)], Columns.journal)
    }

    func put(_ journal: EventJournal, keeping: Int) throws {
        try replace(in: "event_journal", Columns.journal, Columns.values(of: journal))
        try connection.run(
            """
            DELETE FROM event_journal WHERE project = ?1 AND installation = ?2 AND name IN (
                SELECT name FROM event_journal WHERE project = ?1 AND installation = ?2
                ORDER BY touched_us DESC, name LIMIT -1 OFFSET ?3)
            """,
            [.text(journal.projectID), .text(journal.installation), .integer(Int64(keeping))])
    }

    func eventDays(project: String, limit: Int) throws -> [EventDay] {
        try connection.rows(
            "SELECT \(Columns.eventDay) FROM event_day WHERE project = ? ORDER BY day DESC, event, model LIMIT ?",
            [.text(project), .integer(Int64(limit))], Columns.eventDay)
    }

    func eventDayCount(project: String, day: Int64) throws -> Int {
        Int(
            try count(
                "SELECT count(*) FROM event_day WHERE project = ? AND day = ?", [.text(project), .integer(day)]))
    }

    func add(_ events: EventDay) throws {
        try connection.run(
            """
            INSERT INTO event_day (\(Columns.eventDay)) VALUES (?, ?, ?, ?, ?, ?)
            ON CONFLICT DO UPDATE SET count = count + excluded.count, sum = sum + excluded.sum
            """,
            Columns.values(of: events))
    }

    func deleteEvents(beforeDay day: Int64, untouchedSinceMicroseconds microseconds: Int64) throws -> Int {
        try connection.run("DELETE FROM event_day WHERE day < ?", [.integer(day)])
            + connection.run("DELETE FROM event_journal WHERE touched_us < ?", [.integer(microseconds)])
    }
}
