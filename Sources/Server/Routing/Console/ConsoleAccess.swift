package import HearthCatalog
package import HearthHTTP
package import HearthIdentity
package import HearthServing
import HearthStorage
import HearthWork

/// Signs browsers in to the console and out of it, and finds out who sends a request. Safe to call from any thread;
/// `signIn` and `signOut` wait for the disk, so never call them on the HTTP server's threads.
package final class ConsoleAccess: Sendable {
    /// Why a sign-in was refused, in one line for the person.
    package struct Refusal: Error, Sendable {
        /// 401; 403 for a token that is not for people; 429 after too many attempts.
        package let status: Int
        package let message: String
        package var retryAfterSeconds: Int?
    }

    /// How long a code is good.
    package static let codeSeconds: Int64 = 60
    /// The most sessions of one key or token; the oldest one ends for a new one.
    static let sessionsPerCredential = 50

    private let context: RouteContext
    /// Both count by address (IPv6: by /64 network). Any page of the web can make a browser ask for wrong links, so these
    /// do not count as sign-ins.
    private let signIns = RateLimiter(.init(requestsPerMinute: 10, burst: 10))
    private let wrongLinks = RateLimiter(.init(requestsPerMinute: 10, burst: 10))

    package init(_ context: RouteContext) { self.context = context }

    private var lifetimes: ConsoleLifetimes { context.services.console }
    private var nowMicroseconds: Int64 { context.expiryMicroseconds }

    /// Begins a session. Somebody over the limit of their address still gets one for a good proof, which nobody can guess:
    /// a stranger at the same address must not be able to lock others out.
    ///
    /// - Parameters:
    ///   - proof: a code from `signInCodes`, or an admin token.
    ///   - head: the request that brought the proof.
    /// - Returns: the session's secret, which is stored nowhere else.
    package func signIn(_ proof: String, _ head: RequestHead) throws -> (secret: String, session: ConsoleSession) {
        var tooMany: Refusal?
        do throws(RateLimiter.Refusal) {
            // Each attempt counts, because which are good is known only after the work.
            try signIns.admit(
                ClientNetwork.name(of: head.remoteAddress), nowMicroseconds: context.monotonicMicroseconds)
        } catch {
            tooMany = Refusal(
                status: 429, message: "Too many sign-ins from this address; try again later.",
                retryAfterSeconds: error.retryAfterSeconds)
        }
        guard let principal = try principal(showing: proof), let credential = principal.credential else {
            throw tooMany
                ?? Refusal(
                    status: 401,
                    message:
                        "This code or token is not valid, or was used before. Run `hearth console` for a new link.")
        }
        guard principal.role != .mirror else {
            throw Refusal(
                status: 403,
                message: """
                    This token only copies the server to a follower, and opens no page. Sign in with another token, \
                    or run `hearth console`.
                    """
            )
        }
        head.notes.actor = principal.actor
        let secret = ConsoleSecret()
        let now = nowMicroseconds
        let session = ConsoleSession(
            id: secret.id, secretHash: secret.hash, credential: credential, createdMicroseconds: now,
            usedMicroseconds: now, endsMicroseconds: now + lifetimes.sessionMicroseconds,
            address: head.remoteAddress, browser: Self.browser(head))
        try context.metadata.change(
            by: principal.actor, in: principal.homeProjectID, atMicroseconds: context.nowMicroseconds
        ) { store, log in
            let own = try store.consoleSessions().filter {
                $0.credential == credential && lifetimes.isActive($0, nowMicroseconds: now)
            }
            for old in own.dropFirst(Self.sessionsPerCredential - 1) { try store.delete(old) }
            try store.insert(session)
            try log.add("console.signIn", "consoleSessions/\(session.id)", "from \(head.remoteAddress)")
        }
        return (secret.text, session)
    }

    private func principal(showing proof: String) throws -> Principal? {
        if proof.hasPrefix(NewAdminToken.prefix) {
            return try known { try $0.principal(ofAdminToken: proof, nowMicroseconds: nowMicroseconds) }
        }
        guard ConsoleSecret.id(in: proof) != nil else { return nil }
        let hash = ConsoleSecret.hash(of: proof)
        // Anybody can send wrong codes, so none of them waits for the one writer.
        guard try context.metadata.read({ try $0.signInCode(secretHash: hash) }) != nil else { return nil }
        let code = try context.metadata.write { try $0.takeSignInCode(secretHash: hash) }
        guard let code, code.endsMicroseconds > nowMicroseconds else { return nil }
        return try known { try context.principal(.signedIn(code.credential), $0) }
    }

    /// Whom `find` finds; nil if nobody knows that key or token.
    private func known(_ find: (AdminDirectory) throws -> Principal?) throws -> Principal? {
        let snapshot = try context.serving.forAdmins()
        if let found = try? find(snapshot.admins) { return found }
        return context.serving.newer(than: snapshot).flatMap { try? find($0.admins) }
    }

    private static func browser(_ head: RequestHead) -> String {
        String(
            (head.headers["User-Agent"] ?? "").unicodeScalars.filter { (0x20...0x7E).contains($0.value) }.prefix(200))
    }

    /// The session with that secret; nil if there is none, or it has ended. Notes about once a minute that it is used.
    ///
    /// - Parameter isOnHTTPThread: whether the caller must not wait for long.
    package func session(_ secret: String, isOnHTTPThread: Bool = false) throws -> ConsoleSession? {
        guard let found = try record(secret, isOnHTTPThread: isOnHTTPThread) else { return nil }
        let now = nowMicroseconds
        guard lifetimes.isActive(found, nowMicroseconds: now) else { return nil }
        if now - found.usedMicroseconds > lifetimes.useMicroseconds {
            context.writing.run(for: "") { [context] in
                // A session that was revoked meanwhile is gone.
                try? context.metadata.write { try $0.setUsed(found, atMicroseconds: now) }
            }
        }
        return found
    }

    /// Whether there was a session with that secret until lately, on a thread of the HTTP server. One that somebody ended is
    /// forgotten at once.
    package func hadSession(_ secret: String) throws -> Bool { try record(secret, isOnHTTPThread: true) != nil }

    private func record(_ secret: String, isOnHTTPThread: Bool) throws -> ConsoleSession? {
        guard let id = ConsoleSecret.id(in: secret) else { return nil }
        let found =
            isOnHTTPThread
            ? try context.briefly { try $0.consoleSession(id: id) }
            : try context.metadata.read { try $0.consoleSession(id: id) }
        return found.flatMap { ConsoleSecret.matches(secret, hash: $0.secretHash) ? $0 : nil }
    }

    /// Ends the session. Ending it again has no effect.
    package func signOut(_ session: ConsoleSession) throws {
        let principal = try? context.principal(.signedIn(session.credential), context.serving.current().admins)
        try context.metadata.write { store in
            guard let known = try store.consoleSession(id: session.id) else { return }
            try store.delete(known)
            try AuditLog(
                store: store, projectID: principal?.homeProjectID ?? "", actor: principal?.actor ?? "unknown",
                atMicroseconds: context.nowMicroseconds
            ).add("console.signOut", "consoleSessions/\(session.id)")
        }
    }

    /// The link with that secret; nil if there is none, or it has ended, on its own or with who made it.
    package func sharedLink(_ secret: String) throws -> SharedLink? {
        guard let id = ConsoleSecret.id(in: secret) else { return nil }
        let found = try context.metadata.read { try $0.sharedLink(id: id) }
        guard let found, ConsoleSecret.matches(secret, hash: found.secretHash) else { return nil }
        guard found.endsMicroseconds > nowMicroseconds else { return nil }
        return try known { maker(of: found, $0) } == nil ? nil : found
    }

    /// Who made the link, if they may still read its project themselves; nil if they may not.
    package func maker(of link: SharedLink, _ admins: AdminDirectory) -> Principal? {
        let maker = admins.principal(named: link.createdBy, nowMicroseconds: nowMicroseconds)
        return maker.flatMap { $0.isMember(of: link.projectID) && $0.role >= .viewer ? $0 : nil }
    }

    /// Counts a request with the secret of no link.
    ///
    /// - Throws: after too many.
    package func countWrongLink(_ head: RequestHead) throws(Refusal) {
        do throws(RateLimiter.Refusal) {
            try wrongLinks.admit(
                ClientNetwork.name(of: head.remoteAddress), nowMicroseconds: context.monotonicMicroseconds)
        } catch {
            throw Refusal(
                status: 429, message: "Too many wrong links from this address; try again later.",
                retryAfterSeconds: error.retryAfterSeconds)
        }
    }
}

/// How long people stay signed in to the console.
package struct ConsoleLifetimes: Sendable, Hashable {
    /// Whether the server has a console.
    package var isServed = true
    /// From the sign-in to the end.
    package var sessionHours: Int64 = 168
    /// Without use.
    package var idleMinutes: Int64 = 720

    package init() {}

    /// How long a session that has ended is known, in seconds: what somebody sends from a form that was open then comes back
    /// to them.
    package static let knownSeconds: Int64 = 86_400

    var sessionMicroseconds: Int64 { sessionHours * 3_600_000_000 }
    package var idleMicroseconds: Int64 { idleMinutes * 60_000_000 }
    /// How often the use of a session is noted: about once a minute, and often enough for a short idle time.
    var useMicroseconds: Int64 { min(60_000_000, idleMicroseconds / 4) }

    package func isActive(_ session: ConsoleSession, nowMicroseconds now: Int64) -> Bool {
        session.endsMicroseconds > now && session.usedMicroseconds > now - idleMicroseconds
    }
}
