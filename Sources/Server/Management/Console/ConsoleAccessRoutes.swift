import HearthCalls
import HearthCatalog
import HearthHTTP
import HearthIdentity
import HearthRouting
import HearthServing
import HearthStorage
import HearthWire

/// Makes codes for the console, and lists and ends its sessions and shared links.
struct ConsoleAccessRoutes {
    private let context: RouteContext
    private let access: ConsoleAccess

    init(_ context: RouteContext, _ access: ConsoleAccess) {
        self.context = context
        self.access = access
    }

    private static let daySeconds: Int64 = 86_400

    var routes: [CallRoute] {
        [
            context.on(SessionCalls.caller) { (call: NowCall<Principal>) in caller(call.principal) },
            context.on(SessionCalls.begin, isSecret: true) { try makeCode($0) },
            context.on(SessionCalls.list) { try list($0) },
            context.onResponse(SessionCalls.end) { try end($0) },
            context.on(SharedLinkCalls.list) { try listLinks($0) },
            context.on(SharedLinkCalls.create, isSecret: true) { try makeLink($0) },
            context.on(SharedLinkCalls.end) { try endLink($0) },
        ]
    }

    private func caller(_ principal: Principal) -> ConsoleBodies.Caller {
        ConsoleBodies.Caller(
            actor: principal.actor, name: name(of: principal), role: principal.role.rawValue,
            projectId: principal.projectID, operator: principal.isOperator ? true : nil)
    }

    private func name(of principal: Principal) -> String? {
        switch principal.credential {
        case .adminToken(let id): context.serving.last?.admins.tokenName(id: id)
        case .accountKey: ServiceAccountName.short(principal.actor, project: principal.homeProjectID)
        case nil: nil
        }
    }

    private func makeCode(_ call: ServerChangeCall<NoBody>) throws -> ConsoleBodies.SignInCode {
        // A session of the console could otherwise outlive its end by new sessions.
        guard call.head.checkedCaller == nil else {
            throw APIError(.permissionDenied, "Only a key or an admin token gets a code, not a session of the console.")
        }
        guard context.services.console.isServed else {
            throw APIError(
                .failedPrecondition, "This server has no console here; its setting 'console' is off.")
        }
        guard let credential = call.principal.credential else {
            throw APIError(.permissionDenied, "Only a key or an admin token gets a code.")
        }
        let secret = ConsoleSecret()
        let now = context.expiryMicroseconds
        let code = SignInCode(
            secretHash: secret.hash, credential: credential,
            endsMicroseconds: now + ConsoleAccess.codeSeconds * 1_000_000)
        try call.write { store in
            // So that codes which nobody used do not stay.
            _ = try store.deleteEndedConsoleAccess(
                nowMicroseconds: now,
                unusedSinceMicroseconds: now - context.services.console.idleMicroseconds,
                knownMicroseconds: ConsoleLifetimes.knownSeconds * 1_000_000)
            try store.insert(code)
        }
        return ConsoleBodies.SignInCode(
            code: secret.text, path: "/console/sign-in#\(secret.text)",
            expireTime: WireTime.text(code.endsMicroseconds))
    }

    /// The sessions that the caller may end, with the caller of each.
    private func sessions(
        _ principal: Principal, _ store: any MetadataReader
    ) throws -> [(session: ConsoleSession, principal: Principal)] {
        guard let admins = context.serving.last?.admins else { return [] }
        let now = context.expiryMicroseconds
        return try store.consoleSessions().compactMap { session in
            guard context.services.console.isActive(session, nowMicroseconds: now),
                let other = try? context.principal(.signedIn(session.credential), admins)
            else { return nil }
            let isOwn = other.actor == principal.actor
            let isOfProject =
                principal.role == .owner && !principal.isReadOnly && other.projectID == principal.projectID
            return isOwn || isOfProject || principal.isOperator ? (session, other) : nil
        }
    }

    private func list(_ call: ServerReadCall) throws -> ConsoleBodies.SessionList {
        _ = try context.serving.current()
        let found = try call.read { try sessions(call.principal, $0) }.map { session, other in
            ConsoleBodies.Session(
                id: session.id, actor: other.actor, createTime: WireTime.text(session.createdMicroseconds),
                useTime: WireTime.text(session.usedMicroseconds),
                expireTime: WireTime.text(session.endsMicroseconds), address: session.address,
                browser: session.browser)
        }
        return ConsoleBodies.SessionList(sessions: found.isEmpty ? nil : found)
    }

    private func end(_ call: ServerChangeCall<NoBody>) throws -> Response {
        let (id, principal) = (call.path["session"], call.principal)
        _ = try context.serving.current()
        try call.change(inProject: principal.homeProjectID) { store, log in
            guard let (session, other) = try sessions(principal, store).first(where: { $0.session.id == id }) else {
                throw APIError(.notFound, "You have no such session, or it has ended.")
            }
            try store.delete(session)
            try log.add("console.revoke", "consoleSessions/\(id)", "of \(other.actor)")
        }
        return .emptyObject
    }
}

/// Links that show one page.
extension ConsoleAccessRoutes {
    private func listLinks(_ call: ReadCall) throws -> ConsoleBodies.SharedLinkList {
        let now = context.expiryMicroseconds
        let admins = try context.serving.current().admins
        let found = try call.read { try $0.sharedLinks(project: call.project.id) }
            .filter { $0.endsMicroseconds > now && access.maker(of: $0, admins) != nil }.map { Self.body($0) }
        return ConsoleBodies.SharedLinkList(sharedLinks: found.isEmpty ? nil : found)
    }

    private func makeLink(
        _ call: ChangeCall<ConsoleBodies.CreateSharedLinkRequest>
    ) throws -> ConsoleBodies.SharedLink {
        let body = try call.body("a request for a link")
        let page = try Self.page(body)
        let seconds = body.lifetimeSeconds ?? 7 * Self.daySeconds
        guard (60...90 * Self.daySeconds).contains(seconds) else {
            throw APIError.invalid("lifetimeSeconds", "A link is good for 60 seconds to 90 days.")
        }
        let secret = ConsoleSecret()
        let now = context.expiryMicroseconds
        let link = SharedLink(
            id: secret.id, secretHash: secret.hash, projectID: call.project.id, page: page, createdBy: call.actor,
            createdMicroseconds: now, endsMicroseconds: now + seconds * 1_000_000)
        try call.change { store, log in
            try Self.check(page, project: call.project.id, store)
            guard try store.sharedLinks(project: call.project.id).count < Self.linkLimit else {
                throw APIError(
                    .failedPrecondition, "The project has \(Self.linkLimit) links; revoke one first.")
            }
            try store.insert(link)
            try log.add("link.create", page.subject, "link \(link.id), ends \(WireTime.text(link.endsMicroseconds))")
        }
        return Self.body(link, path: "/console/shared?link=\(secret.text)")
    }

    private static let linkLimit = 500

    private static func page(_ body: ConsoleBodies.CreateSharedLinkRequest) throws(APIError) -> SharedPage {
        switch (body.model.flatMap(Int64.init), body.release, body.experiment) {
        case (let model?, let release?, nil): return .release(model: model, number: release)
        case (nil, nil, let name?) where body.model == nil: return .experiment(name: name)
        default:
            throw .invalid(
                "model", "A link shows a release (its model's id and its number) or an experiment (its name).")
        }
    }

    /// - Throws: 404 if the project has no such page.
    private static func check(_ page: SharedPage, project: String, _ store: any MetadataReader) throws {
        switch page {
        case .release(let model, let number):
            guard try store.model(id: model, project: project) != nil,
                try store.release(number, model: model) != nil
            else { throw APIError.notFound }
        case .experiment(let name):
            guard try store.experiment(name, project: project) != nil else { throw APIError.notFound }
        }
    }

    private func endLink(_ call: ChangeCall<NoBody>) throws -> ConsoleBodies.SharedLink {
        let id = call.path["link"]
        let link = try call.change { store, log in
            guard let link = try store.sharedLink(id: id), link.projectID == call.project.id else {
                throw APIError(.notFound, "The project has no such link, or it has ended.")
            }
            try store.delete(link)
            try log.add("link.revoke", link.page.subject, "link \(id)")
            return link
        }
        return Self.body(link)
    }

    private static func body(_ link: SharedLink, path: String? = nil) -> ConsoleBodies.SharedLink {
        var body = ConsoleBodies.SharedLink(
            id: link.id, model: nil, release: nil, experiment: nil,
            createTime: WireTime.text(link.createdMicroseconds), createdBy: link.createdBy,
            expireTime: WireTime.text(link.endsMicroseconds), path: path)
        switch link.page {
        case .release(let model, let number): (body.model, body.release) = ("\(model)", number)
        case .experiment(let name): body.experiment = name
        }
        return body
    }
}

extension AuditLog {
    /// Ends the links that an account or token made, because it ends itself.
    ///
    /// - Returns: how many still showed their page.
    func endLinks(madeBy actor: String, nowMicroseconds: Int64) throws -> Int {
        let links = try store.sharedLinks(madeBy: actor)
        for link in links {
            try store.delete(link)
            let own = AuditLog(
                store: store, projectID: link.projectID, actor: self.actor, atMicroseconds: atMicroseconds)
            try own.add("link.revoke", link.page.subject, "link \(link.id), with \(actor)")
        }
        return links.count { $0.endsMicroseconds > nowMicroseconds }
    }
}
