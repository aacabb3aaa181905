import HearthCatalog
import HearthStorage

/// The look-ups and changes of one transaction, as SQL. The extensions contain them by topic.
final class SQLSession: MetadataWriter {
    let connection: any SQLConnection
    /// Whether a change concerns serving snapshots.
    var changesServing = false
    /// How many installations each project has got or lost.
    var installationChanges: [String: Int] = [:]

    init(_ connection: any SQLConnection) { self.connection = connection }
}

extension SQLSession {
    func value(of mark: DataMark) throws -> String? {
        try connection.text("SELECT value FROM data_mark WHERE name = ?", [.text(mark.rawValue)])
    }

    func set(_ mark: DataMark, _ value: String?) throws(StorageError) {
        try connection.run("DELETE FROM data_mark WHERE name = ?", [.text(mark.rawValue)])
        guard let value else { return }
        try connection.run(
            "INSERT INTO data_mark (name, value) VALUES (?, ?)", [.text(mark.rawValue), .text(value)])
    }

    func count(_ sql: String, _ parameters: [SQLValue]) throws(StorageError) -> Int64 {
        try connection.integer(sql, parameters) ?? 0
    }
}

extension SQLSession {
    func audit(
        project: String?, matching filter: AuditFilter, before: Int64?, limit: Int
    ) throws -> [AuditEntry] {
        var conditions = ["id < ?"]
        var values: [SQLValue] = [.integer(before ?? .max)]
        func require(_ condition: String, _ parameters: [SQLValue]) {
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
        return try records(
            "WHERE \(conditions.joined(separator: " AND ")) ORDER BY id DESC LIMIT ?", values + [.int(limit)])
    }

    func append(_ entry: AuditEntry) throws { try insertRow(entry) }
}

extension AuditEntry: SQLRecord {
    static let table = SQLTable(
        "audit", [.id, .project, .actor, .action, .subject, .detail, .at_us], generated: .id)

    init(_ row: SQLRow) {
        self.init(
            id: row.integer(.id), projectID: row.text(.project), actor: row.text(.actor), action: row.text(.action),
            subject: row.text(.subject), detail: row.text(.detail), atMicroseconds: row.integer(.at_us))
    }

    func values() -> [SQLValue] {
        [.text(projectID), .text(actor), .text(action), .text(subject), .text(detail), .integer(atMicroseconds)]
    }
}
