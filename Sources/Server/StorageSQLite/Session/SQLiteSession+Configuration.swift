import HearthCatalog
import HearthStorage

extension SQLiteSession {
    func template(project: String, namespace: String, number: Int64?) throws -> TemplateVersion? {
        guard let number else {
            return try templates(project: project, namespace: namespace, before: nil, limit: 1).first
        }
        return try connection.row(
            "SELECT \(Columns.template) FROM config_template WHERE project = ? AND namespace = ? AND number = ?",
            [.text(project), .text(namespace), .integer(number)], Columns.template)
    }

    func templates(project: String, namespace: String, before: Int64?, limit: Int) throws -> [TemplateVersion] {
        try connection.rows(
            """
            SELECT \(Columns.template) FROM config_template WHERE project = ? AND namespace = ? AND number < ?
            ORDER BY number DESC LIMIT ?
            """,
            [.text(project), .text(namespace), .integer(before ?? .max), .integer(Int64(limit))], Columns.template)
    }

    func activeTemplates(namespace: String) throws -> [TemplateVersion] {
        try connection.rows(
            """
            SELECT \(Columns.template) FROM config_template AS one WHERE namespace = ?1 AND number =
                (SELECT max(number) FROM config_template WHERE project = one.project AND namespace = ?1)
            ORDER BY project
            """,
            [.text(namespace)], Columns.template)
    }

    func insert(_ template: TemplateVersion) throws {
        try insert(into: "config_template", Columns.template, Columns.values(of: template))
        changesServing = true
    }

    func deleteTemplates(project: String, namespace: String, upTo number: Int64) throws {
        try connection.run(
            """
            DELETE FROM config_template WHERE project = ?1 AND namespace = ?2 AND number <= ?3 AND number <
                (SELECT max(number) FROM config_template WHERE project = ?1 AND namespace = ?2)
            """,
            [.text(project), .text(namespace), .integer(number)])
    }
}
