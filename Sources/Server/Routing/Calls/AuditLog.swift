import HearthCatalog
package import HearthStorage

/// Writes audit entries in the transaction of their change. Entries never contain a secret.
package struct AuditLog {
    package let store: any MetadataWriter
    package let projectID: String
    package let actor: String
    package let atMicroseconds: Int64

    package init(store: any MetadataWriter, projectID: String, actor: String, atMicroseconds: Int64) {
        self.store = store
        self.projectID = projectID
        self.actor = actor
        self.atMicroseconds = atMicroseconds
    }

    package func add(_ action: String, _ subject: String, _ detail: String = "") throws {
        try store.append(
            AuditEntry(
                projectID: projectID, actor: actor, action: action, subject: subject, detail: detail,
                atMicroseconds: atMicroseconds))
    }
}

extension MetadataStore {
    /// One change by `actor` with its entry in the audit log: both are written, or neither.
    ///
    /// - Parameter project: whose audit log has the entry; nil for a change of the whole server.
    package func change<Result>(
        by actor: String, in project: String?, atMicroseconds: Int64,
        _ body: (_ store: any MetadataWriter, _ log: AuditLog) throws -> Result
    ) throws -> Result {
        try write { store in
            try body(
                store,
                AuditLog(store: store, projectID: project ?? "", actor: actor, atMicroseconds: atMicroseconds))
        }
    }
}
