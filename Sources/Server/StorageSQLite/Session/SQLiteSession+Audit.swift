import HearthCatalog
import HearthStorage

extension SQLiteSession {
    func audit(
        project: String?, matching filter: AuditFilter, before: Int64?, limit: Int
    ) throws -> [AuditEntry] {
        var conditions = ["id < ?"]
        var values: [SQLiteValue] = [.integer(before ?? .max)]
        func require(_ condition: String, _ parameters: [SQLiteValue]) {
            conditions.append(condition)
            values += parameters
        }
        func require(_ column: String, in texts: Set<String>) {
            guard !texts.isEmpty else { return }
            let marks = Array(repeating: "?", count: texts.count).joined(separator: ", ")
            require("\(column) IN (\(marks))", texts.sorted().map { .text($0) })
        }
        if let project { require("project = ?", [.text(project)]) }
        require("actor", in: filter.actors)
        require("subject", in: filter.subjects)
        if let action = filter.action {
            require(
                "(action = ? OR substr(action, 1, length(?) + 1) = ? || '.')",
                [.text(action), .text(action), .text(action)])
        }
        if let detail = filter.detail { require("detail = ?", [.text(detail)]) }
        if let from = filter.fromMicroseconds { require("at_us >= ?", [.integer(from)]) }
        if let until = filter.untilMicroseconds { require("at_us < ?", [.integer(until)]) }
        return try connection.rows(
            "SELECT \(Columns.audit) FROM audit WHERE \(conditions.joined(separator: " AND ")) ORDER BY id DESC LIMIT ?",
            values + [.integer(Int64(limit))], Columns.audit)
    }

    func append(_ entry: AuditEntry) throws {
        try insert(
            into: "audit", "project, actor, action, subject, detail, at_us",
            [
                .text(entry.projectID), .text(entry.actor), .text(entry.action), .text(entry.subject),
                .text(entry.detail), .integer(entry.atMicroseconds),
            ])
    }
}
