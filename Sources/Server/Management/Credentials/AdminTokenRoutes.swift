import HearthCalls
import HearthCatalog
import HearthHTTP
import HearthIdentity
import HearthRouting
import HearthStorage
import HearthWire

/// `…/adminTokens`: the tokens of a project, for owners; the tokens of the whole server, for operators.
struct AdminTokenRoutes {
    private let context: RouteContext

    init(_ context: RouteContext) { self.context = context }

    var routes: [CallRoute] {
        routes(AdminTokenCalls.ofProject, for: AdminCall.self) + routes(AdminTokenCalls.ofServer, for: Principal.self)
    }

    private func routes<Caller: LaneCaller>(_ calls: AdminTokenCalls, for caller: Caller.Type) -> [CallRoute] {
        [
            context.on(calls.list) { (call: Reading<Caller, NoBody>) in try list(call) },
            context.on(calls.create, isSecret: true) {
                (call: Changing<Caller, KeyBodies.CreateAdminTokenRequest>) in try create(call)
            },
            context.on(calls.revoke) { (call: Changing<Caller, NoBody>) in try end(call) },
        ]
    }

    private func list<Caller>(_ call: Reading<Caller, NoBody>) throws -> KeyBodies.AdminTokenList {
        let tokens = try call.read { try $0.adminTokens() }
            .filter { $0.projectID == call.caller.projectID }.map { KeyBodies.AdminToken($0) }
        return KeyBodies.AdminTokenList(adminTokens: tokens.isEmpty ? nil : tokens)
    }

    private func create<Caller>(
        _ call: Changing<Caller, KeyBodies.CreateAdminTokenRequest>
    ) throws -> KeyBodies.AdminToken {
        let (body, projectID) = (try call.body("a new admin token"), call.caller.projectID)
        let now = context.nowMicroseconds
        try KeyRules.checkName(body.name)
        let end = try body.lifetimeSeconds.map {
            try KeyRules.end(afterSeconds: $0, nowMicroseconds: now, atLeast: 1)
        }
        let made = NewAdminToken(
            projectID: projectID, name: body.name,
            role: try context.role(body.role, isForServer: projectID == nil),
            createdBy: call.actor, nowMicroseconds: now, endsMicroseconds: end)
        try call.change { store, log in
            try store.insert(made.record)
            try log.add(
                "adminToken.create", "adminTokens/\(made.record.id)",
                "\(body.name), \(body.role)" + (end.map { ", ends \(WireTime.text($0))" } ?? ""))
        }
        if end != nil { try context.clockKeeper.refreshPlannedEnds() }
        return KeyBodies.AdminToken(made.record, token: made.token)
    }

    /// Ends the token. Ending it again is not an error.
    private func end<Caller>(_ call: Changing<Caller, NoBody>) throws -> KeyBodies.AdminToken {
        try call.change { store, log in
            guard let token = try store.adminToken(id: call.path["token"]), token.projectID == call.caller.projectID
            else {
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
