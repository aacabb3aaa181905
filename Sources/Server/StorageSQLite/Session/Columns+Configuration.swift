import HearthCatalog
import HearthStorage

extension Columns {
    static let template = """
        project, namespace, number, created_us, created_by, description, origin, kind, rollback_source, body
        """
    static let templateWithoutBody = """
        project, namespace, number, created_us, created_by, description, origin, kind, rollback_source, ''
        """

    static func template(_ row: SQLiteRow) throws(StorageError) -> TemplateVersion {
        TemplateVersion(
            projectID: row.text(0), namespace: row.text(1), number: row.integer(2), body: row.text(9),
            createdMicroseconds: row.integer(3), createdBy: row.text(4), description: row.text(5),
            origin: try known(row.text(6), TemplateVersion.Origin.self),
            kind: try known(row.text(7), TemplateVersion.Kind.self), rollbackSource: row.optionalInteger(8))
    }

    static func values(of template: TemplateVersion) -> [SQLiteValue] {
        [
            .text(template.projectID), .text(template.namespace), .integer(template.number),
            .integer(template.createdMicroseconds), .text(template.createdBy), .text(template.description),
            .text(template.origin.rawValue), .text(template.kind.rawValue), .optional(template.rollbackSource),
            .text(template.body),
        ]
    }
}
