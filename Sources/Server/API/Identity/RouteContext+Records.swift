import HearthCatalog
import HearthHTTP
import HearthIdentity
import HearthStorage
import HearthWire

/// What the routes about projects, keys and tokens share.
extension RouteContext {
    /// An answer with secrets in it: nobody on the way may keep it.
    func confidential(_ value: some Encodable) throws -> Response {
        var response = try json(value)
        response.headers["Cache-Control"] = "no-store"
        return response
    }

    func role(_ text: String) throws(APIError) -> Role {
        guard let role = Role(rawValue: text) else {
            throw APIError(.invalidArgument, "The role must be owner, publisher or viewer.")
        }
        return role
    }

    /// One change by `principal` with its entry in the audit log: both are written, or neither. `project` is nil for a
    /// change of the server as a whole.
    func change<Result>(
        by principal: Principal, in project: String?,
        _ body: (_ store: any MetadataWriter, _ log: AuditLog) throws -> Result
    ) throws -> Result {
        let now = nowMicroseconds
        return try services.metadata.write { store in
            try body(
                store, AuditLog(store: store, projectID: project ?? "", actor: principal.actor, atMicroseconds: now))
        }
    }
}

/// Where one change is written down, in its own transaction. What is written never holds a secret.
struct AuditLog {
    let store: any MetadataWriter
    let projectID: String
    let actor: String
    let atMicroseconds: Int64

    func add(_ action: String, _ subject: String, _ detail: String = "") throws {
        try store.append(
            AuditEntry(
                projectID: projectID, actor: actor, action: action, subject: subject, detail: detail,
                atMicroseconds: atMicroseconds))
    }
}
