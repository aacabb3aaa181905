import HearthCatalog
import HearthStorage

extension SQLSession {
    func template(project: String, namespace: String, number: Int64?) throws -> TemplateVersion? {
        try record(
            """
            WHERE project = ?1 AND namespace = ?2 AND number = coalesce(?3,
                (SELECT max(number) FROM config_template WHERE project = ?1 AND namespace = ?2))
            """,
            [.text(project), .text(namespace), .optional(number)])
    }

    func templateHistory(
        project: String, namespace: String, before: Int64?, madeIn times: Range<Int64>, limit: Int
    ) throws -> [TemplateVersion] {
        try connection.rows(
            """
            SELECT \(TemplateVersion.table.list(without: .body)) FROM config_template
            WHERE project = ? AND namespace = ? AND number < ? AND created_us >= ? AND created_us < ?
            ORDER BY number DESC LIMIT ?
            """,
            [
                .text(project), .text(namespace), .integer(before ?? .max), .integer(times.lowerBound),
                .integer(times.upperBound), .int(limit),
            ], TemplateVersion.init)
    }

    func activeTemplateNumbers(namespace: String) throws -> [String: Int64] {
        // By project, so that each number is the end of a range of the key and no text is read.
        let numbers = try connection.rows(
            """
            SELECT id, (SELECT max(number) FROM config_template WHERE project = id AND namespace = ?) AS number
            FROM project
            """, [.text(namespace)]
        ) { row in row.optionalInteger(.number).map { (row.text(.id), $0) } }
        return Dictionary(uniqueKeysWithValues: numbers.compactMap { $0 })
    }

    func insert(_ template: TemplateVersion) throws { try insertRow(template, isServed: true) }

    func deleteTemplates(
        project: String, namespace: String, keeping: Int, createdBefore microseconds: Int64
    ) throws {
        try connection.run(
            """
            DELETE FROM config_template WHERE project = ?1 AND namespace = ?2 AND (created_us < ?4 OR number <=
                (SELECT number FROM config_template WHERE project = ?1 AND namespace = ?2
                    ORDER BY number DESC LIMIT 1 OFFSET ?3))
            AND number < (SELECT max(number) FROM config_template WHERE project = ?1 AND namespace = ?2)
            """,
            [.text(project), .text(namespace), .int(keeping), .integer(microseconds)])
    }
}

extension TemplateVersion: SQLRecord {
    static let table = SQLTable(
        "config_template",
        [
            .project, .namespace, .number, .created_us, .created_by, .description, .origin, .kind, .rollback_source,
            .body,
        ])

    init(_ row: SQLRow) throws(StorageError) {
        self.init(
            projectID: row.text(.project), namespace: row.text(.namespace), number: row.integer(.number),
            body: row.text(.body), createdMicroseconds: row.integer(.created_us), createdBy: row.text(.created_by),
            description: row.text(.description), origin: try row.known(.origin), kind: try row.known(.kind),
            rollbackSource: row.optionalInteger(.rollback_source))
    }

    func values() -> [SQLValue] {
        [
            .text(projectID), .text(namespace), .integer(number), .integer(createdMicroseconds), .text(createdBy),
            .text(description), .text(origin.rawValue), .text(kind.rawValue), .optional(rollbackSource), .text(body),
        ]
    }
}
