import HearthCatalog
import HearthStorage

extension SQLSession {
    func template(project: String, namespace: String, number: Int64?) throws -> TemplateVersion? {
        try connection.row(
            """
            SELECT \(Columns.template) FROM config_template
            WHERE project = ?1 AND namespace = ?2 AND number = coalesce(?3,
                (SELECT max(number) FROM config_template WHERE project = ?1 AND namespace = ?2))
            """,
            [.text(project), .text(namespace), .optional(number)], Columns.template)
    }

    func templateHistory(
        project: String, namespace: String, before: Int64?, madeIn times: Range<Int64>, limit: Int
    ) throws -> [TemplateVersion] {
        try connection.rows(
            """
            SELECT \(Columns.templateWithoutBody) FROM config_template
            WHERE project = ? AND namespace = ? AND number < ? AND created_us >= ? AND created_us < ?
            ORDER BY number DESC LIMIT ?
            """,
            [
                .text(project), .text(namespace), .integer(before ?? .max), .integer(times.lowerBound),
                .integer(times.upperBound), .integer(Int64(limit)),
            ], Columns.template)
    }

    func activeTemplateNumbers(namespace: String) throws -> [String: Int64] {
        // By project, so that each number is the end of a range of the key and no text is read.
        let numbers = try connection.rows(
            "SELECT id, (SELECT max(number) FROM config_template WHERE project = id AND namespace = ?) FROM project",
            [.text(namespace)]
        ) { (row) throws(StorageError) in row.optionalInteger(1).map { (row.text(0), $0) } }
        return Dictionary(uniqueKeysWithValues: numbers.compactMap { $0 })
    }

    func insert(_ template: TemplateVersion) throws {
        try insert(into: "config_template", Columns.template, Columns.values(of: template))
        changesServing = true
    }

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
            [.text(project), .text(namespace), .integer(Int64(keeping)), .integer(microseconds)])
    }
}

extension Columns {
    static let template = """
        project, namespace, number, created_us, created_by, description, origin, kind, rollback_source, body
        """
    static let templateWithoutBody = """
        project, namespace, number, created_us, created_by, description, origin, kind, rollback_source, ''
        """

    static func template(_ row: any SQLRow) throws(StorageError) -> TemplateVersion {
        TemplateVersion(
            projectID: row.text(0), namespace: row.text(1), number: row.integer(2), body: row.text(9),
            createdMicroseconds: row.integer(3), createdBy: row.text(4), description: row.text(5),
            origin: try known(row.text(6), TemplateVersion.Origin.self),
            kind: try known(row.text(7), TemplateVersion.Kind.self), rollbackSource: row.optionalInteger(8))
    }

    static func values(of template: TemplateVersion) -> [SQLValue] {
        [
            .text(template.projectID), .text(template.namespace), .integer(template.number),
            .integer(template.createdMicroseconds), .text(template.createdBy), .text(template.description),
            .text(template.origin.rawValue), .text(template.kind.rawValue), .optional(template.rollbackSource),
            .text(template.body),
        ]
    }
}
