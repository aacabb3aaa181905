import HearthCatalog
import HearthStorage

extension Columns {
    static let template = """
        project, namespace, number, body, created_us, created_by, description, origin, kind, rollback_source
        """

    static func template(_ row: SQLiteRow) throws(StorageError) -> TemplateVersion {
        TemplateVersion(
            projectID: row.text(0), namespace: row.text(1), number: row.integer(2), body: row.text(3),
            createdMicroseconds: row.integer(4), createdBy: row.text(5), description: row.text(6),
            origin: try known(row.text(7), TemplateVersion.Origin.self),
            kind: try known(row.text(8), TemplateVersion.Kind.self), rollbackSource: row.optionalInteger(9))
    }

    static func values(of template: TemplateVersion) -> [SQLiteValue] {
        [
            .text(template.projectID), .text(template.namespace), .integer(template.number), .text(template.body),
            .integer(template.createdMicroseconds), .text(template.createdBy), .text(template.description),
            .text(template.origin.rawValue), .text(template.kind.rawValue), .optional(template.rollbackSource),
        ]
    }
}
