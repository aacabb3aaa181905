import HearthCalls
import HearthCatalog
import HearthHTTP
import HearthIdentity
import HearthRouting
import HearthStorage
import HearthWire

/// `…/adminTokens`: the tokens of a project, for owners; the tokens of the whole server, for operators.
struct AdminTokenRoutes {
    /// The tokens that a call is about.
    private struct Scope: QueueKeyed {
        /// Nil for the whole server.
        let projectID: String?
        let principal: Principal

        var queueKey: String { projectID ?? "" }
    }

    private let context: RouteContext

    init(_ context: RouteContext) { self.context = context }

    var routes: [CallRoute] {
        routes(AdminTokenCalls.ofProject) { head, path in
            let call = try context.adminCall(head, project: path["project"], atLeast: .owner)
            return Scope(projectID: call.project.id, principal: call.principal)
        }
            + routes(AdminTokenCalls.ofServer) { head, _ in
                Scope(projectID: nil, principal: try context.operatorCall(head))
            }
    }

    private func routes(
        _ calls: AdminTokenCalls, scope: @escaping @Sendable (RequestHead, RouteParameters) throws -> Scope
    ) -> [CallRoute] {
        [
            CallRoute(calls.list) { head, path in
                context.lookUp(head) { try list(scope(head, path)) }
            },
            CallRoute(calls.create) { head, path in
                context.queuedWrite(head, check: { try scope(head, path) }) { scope, _, bytes in
                    try create(
                        scope,
                        RequestJSON.decode(KeyBodies.CreateAdminTokenRequest.self, bytes, what: "a new admin token"))
                }
            },
            CallRoute(calls.revoke) { head, path in
                context.queuedWrite(head, check: { try scope(head, path) }) { scope, _, _ in
                    try end(scope, path["token"])
                }
            },
        ]
    }

    private func list(_ scope: Scope) throws -> Response {
        let tokens = try context.services.metadata.read { try $0.adminTokens() }
            .filter { $0.projectID == scope.projectID }.map { KeyBodies.AdminToken($0) }
        return try context.json(KeyBodies.AdminTokenList(adminTokens: tokens.isEmpty ? nil : tokens))
    }

    private func create(_ scope: Scope, _ body: KeyBodies.CreateAdminTokenRequest) throws -> Response {
        let now = context.nowMicroseconds
        try KeyRules.checkName(body.name)
        let end = try body.lifetimeSeconds.map {
            try KeyRules.end(afterSeconds: $0, nowMicroseconds: now, atLeast: 1)
        }
        let made = NewAdminToken(
            projectID: scope.projectID, name: body.name,
            role: try context.role(body.role, isForServer: scope.projectID == nil),
            createdBy: scope.principal.actor, nowMicroseconds: now, endsMicroseconds: end)
        try context.change(by: scope.principal, in: scope.projectID) { store, log in
            try store.insert(made.record)
            try log.add(
                "adminToken.create", "adminTokens/\(made.record.id)",
                "\(body.name), \(body.role)" + (end.map { ", ends \(WireTime.text($0))" } ?? ""))
        }
        if end != nil { try context.clockKeeper.refreshPlannedEnds() }
        return try context.confidential(KeyBodies.AdminToken(made.record, token: made.token))
    }

    /// Ends the token. Ending it again is not an error.
    private func end(_ scope: Scope, _ id: String) throws -> Response {
        let ended = try context.change(by: scope.principal, in: scope.projectID) { store, log in
            guard let token = try store.adminToken(id: id), token.projectID == scope.projectID else {
                throw APIError(.notFound, "There is no such admin token here.")
            }
            guard !token.hasEnded else {
                var body = KeyBodies.AdminToken(token)
                body.unchanged = true
                return body
            }
            let ended = try token.end(log, nowMicroseconds: context.expiryMicroseconds)
            var body = KeyBodies.AdminToken(ended.token)
            body.endedLinks = ended.links == 0 ? nil : ended.links
            return body
        }
        return try context.json(ended)
    }
}

extension AdminToken {
    /// Ends the token now, with the links that it made, and logs that in the audit log of the token's project, or in that of
    /// the server.
    ///
    /// - Returns: the token, and how many of its links still showed their page.
    func end(_ log: AuditLog, nowMicroseconds: Int64) throws -> (token: AdminToken, links: Int) {
        var ended = self
        ended.end(atMicroseconds: log.atMicroseconds, nowMicroseconds: log.atMicroseconds)
        try log.store.update(ended)
        let own = AuditLog(
            store: log.store, projectID: projectID ?? "", actor: log.actor, atMicroseconds: log.atMicroseconds)
        try own.add("adminToken.end", "adminTokens/\(id)", name)
        return (ended, try log.endLinks(madeBy: Principal(self).actor, nowMicroseconds: nowMicroseconds))
    }
}
