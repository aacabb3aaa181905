import HearthCatalog
import HearthIdentity
import HearthStorage

extension AdminToken {
    /// Ends it now, and writes that down where changes of its project, or of the server as a whole, are written down.
    func end(_ log: AuditLog) throws -> AdminToken {
        var ended = self
        ended.end(atMicroseconds: log.atMicroseconds, nowMicroseconds: log.atMicroseconds)
        try log.store.update(ended)
        let own = AuditLog(
            store: log.store, projectID: projectID ?? "", actor: log.actor, atMicroseconds: log.atMicroseconds)
        try own.add("adminToken.end", "adminTokens/\(id)", name)
        return ended
    }
}
