import HearthCalls
import HearthCatalog
import HearthHTTP
import HearthIdentity
import HearthRouting
import HearthStorage
import HearthWire

/// `…/serviceAccounts`: accounts and their keys, for owners. Only operators may change an operator's keys: otherwise an
/// owner of the operator's project could become an operator.
struct ServiceAccountRoutes {
    private let context: RouteContext

    init(_ context: RouteContext) { self.context = context }

    var routes: [CallRoute] {
        [
            context.on(AccountCalls.list) { try list($0) },
            context.onPrepared(AccountCalls.create, isSecret: true) { try create($0) },
            context.on(AccountCalls.update) { try update($0) },
            context.on(AccountCalls.delete) { try revoke($0, keyID: nil) },
            context.onPrepared(AccountCalls.addKey, isSecret: true) { try addKey($0) },
            context.on(AccountCalls.revokeKey) { try revokeKey($0) },
        ]
    }

    private func list(_ call: ReadCall) throws -> KeyBodies.ServiceAccountList {
        let accounts = try call.read { store in
            let keys = Dictionary(grouping: try store.accountKeys(), by: \.email)
            return try store.serviceAccounts().filter { $0.projectID == call.project.id }
                .map { KeyBodies.ServiceAccount($0, keys: keys[$0.email] ?? []) }
        }
        return KeyBodies.ServiceAccountList(serviceAccounts: accounts.isEmpty ? nil : accounts)
    }

    private func create(
        _ call: PrepareCall<KeyBodies.CreateServiceAccountRequest>
    ) throws -> PendingAnswer<ServiceAccountKey> {
        let body = try call.body("a new service account")
        guard ServiceAccountName.isValid(body.name) else {
            throw APIError(
                .invalidArgument,
                "An account's name must have 1 to 30 lower-case letters, digits and hyphens, and must begin with a letter."
            )
        }
        let now = context.nowMicroseconds
        let account = ServiceAccount(
            email: ServiceAccountName.email(body.name, project: call.project.id), projectID: call.project.id,
            role: try context.role(body.role), isOperator: body.operator ?? false, createdMicroseconds: now)
        guard !account.isOperator || account.role == .owner else {
            throw APIError(.invalidArgument, "An operator's role must be owner.")
        }
        try checkMayChange(account, call.caller)
        _ = try call.read { try checkIsFree(account, call.caller, $0) }
        let key = try NewAccountKey(email: account.email, nowMicroseconds: now)
        return call.afterWrite { call in
            try call.change { store, log in
                let isKnown = try checkIsFree(account, call.caller, store)
                try isKnown ? store.update(account) : store.insert(account)
                try store.insert(key.record)
                try log.add(
                    "serviceAccount.create", "serviceAccounts/\(account.email)",
                    "\(account.isOperator ? "operator" : account.role.rawValue), key \(key.record.id)")
            }
            return answer(key, call)
        }
    }

    private func update(
        _ call: ChangeCall<KeyBodies.UpdateServiceAccountRequest>
    ) throws -> KeyBodies.ServiceAccount {
        let (email, body) = (call.path["email"], try call.body("a change of a service account"))
        let role = try context.role(body.role)
        let now = context.expiryMicroseconds
        return try call.change { store, log in
            var account = try account(email, call.caller, store)
            let keys = try store.accountKeys()
            try AccountRules.checkRole(
                role, for: account, accounts: try store.serviceAccounts(), keys: keys, nowMicroseconds: now)
            if account.role != role {
                try log.add(
                    "serviceAccount.update", "serviceAccounts/\(email)", "\(account.role.rawValue) -> \(role.rawValue)")
                account.role = role
                try store.update(account)
            }
            return KeyBodies.ServiceAccount(account, keys: keys.filter { $0.email == email })
        }
    }

    private func addKey(_ call: PrepareCall<NoBody>) throws -> PendingAnswer<ServiceAccountKey> {
        let email = call.path["email"]
        try call.read { try checkNewKey(of: email, call.caller, $0) }
        let key = try NewAccountKey(email: email, nowMicroseconds: context.nowMicroseconds)
        return call.afterWrite { call in
            try call.change { store, log in
                try checkNewKey(of: email, call.caller, store)
                try store.insert(key.record)
                try log.add("accountKey.create", "serviceAccounts/\(email)", "key \(key.record.id)")
            }
            return answer(key, call)
        }
    }

    private func checkNewKey(of email: String, _ call: AdminCall, _ store: any MetadataReader) throws {
        let account = try account(email, call, store)
        try AccountRules.checkNewKey(
            of: account, keys: try store.accountKeys(), nowMicroseconds: context.expiryMicroseconds)
    }

    private static func endsTokens(_ query: QueryItems) throws(APIError) -> Bool {
        guard let text = query.first("endTokens") else { return false }
        guard let value = Bool(text) else { throw APIError(.invalidArgument, "endTokens must be true or false.") }
        return value
    }

    /// Ends the key, or all keys of the account; with `endsTokens` also the admin tokens that the account made. With its last
    /// key, or with its tokens, the account's shared links end. Ending them again is not an error.
    private func revoke(_ call: ChangeCall<NoBody>, keyID: String?) throws -> KeyBodies.ServiceAccount {
        let (email, endsTokens) = (call.path["email"], try Self.endsTokens(call.query))
        let passing = context.expiryMicroseconds
        return try call.change { store, log in
            let account = try account(email, call.caller, store)
            let all = try store.accountKeys()
            let named = all.filter { $0.email == email && (keyID == nil || $0.id == keyID) }
            guard keyID == nil || !named.isEmpty else { throw APIError(.notFound, "The account has no such key.") }
            let active = named.filter { $0.isActive(atMicroseconds: passing) }
            try AccountRules.checkRevocation(
                of: active, account: account, accounts: try store.serviceAccounts(), keys: all, nowMicroseconds: passing
            )
            for var key in active {
                key.end(atMicroseconds: log.atMicroseconds, nowMicroseconds: log.atMicroseconds)
                try store.update(key)
                try log.add("accountKey.revoke", "serviceAccounts/\(email)", "key \(key.id)")
            }
            let tokens = try tokens(of: account, call.caller, store).filter { !$0.hasEnded }
            var left = KeyBodies.ServiceAccount(account, keys: try store.accountKeys().filter { $0.email == email })
            let isLeft = try store.accountKeys().contains { $0.email == email && $0.isActive(atMicroseconds: passing) }
            var links =
                endsTokens || !isLeft ? try log.endLinks(madeBy: email, nowMicroseconds: passing) : 0
            var told = tokens.filter { $0.isActive(atMicroseconds: passing) }
            if endsTokens {
                told = try tokens.map { token in
                    let ended = try token.end(log, nowMicroseconds: passing)
                    links += ended.links
                    return ended.token
                }
            }
            left.adminTokens = told.isEmpty ? nil : told.map { KeyBodies.AdminToken($0) }
            left.endedLinks = links == 0 ? nil : links
            return left
        }
    }

    private func revokeKey(_ call: ChangeCall<NoBody>) throws -> KeyBodies.AccountKey {
        let left = try revoke(call, keyID: call.path["key"])
        guard var key = left.keys?.first(where: { $0.id == call.path["key"] }) else { throw APIError.notFound }
        key.adminTokens = left.adminTokens
        key.endedLinks = left.endedLinks
        return key
    }

    /// The tokens that the account made and that the caller may end.
    private func tokens(
        of account: ServiceAccount, _ call: AdminCall, _ store: any MetadataReader
    ) throws -> [AdminToken] {
        IssuedTokens.of(account.email, among: try store.adminTokens()).filter { token in
            call.principal.isOperator || token.projectID == call.project.id
        }
    }

    private func account(_ email: String, _ call: AdminCall, _ store: any MetadataReader) throws -> ServiceAccount {
        guard let account = try store.serviceAccount(email: email), account.projectID == call.project.id else {
            throw APIError(.notFound, "There is no service account '\(email)' in this project.")
        }
        try checkMayChange(account, call)
        return account
    }

    private func checkMayChange(_ account: ServiceAccount, _ call: AdminCall) throws(APIError) {
        guard call.principal.isOperator || !account.isOperator else {
            throw APIError(.permissionDenied, "Only operators of the server may make operators and change their keys.")
        }
    }

    /// Refuses the name of an account that can sign in. A new account may replace one whose keys have all ended.
    ///
    /// - Returns: whether a record of that name exists.
    private func checkIsFree(
        _ account: ServiceAccount, _ call: AdminCall, _ store: any MetadataReader
    ) throws -> Bool {
        guard let known = try store.serviceAccount(email: account.email) else { return false }
        try checkMayChange(known, call)
        let now = context.expiryMicroseconds
        guard !(try store.accountKeys().contains { $0.email == known.email && $0.isActive(atMicroseconds: now) }) else {
            throw CatalogError(.alreadyExists, "There is a service account '\(account.email)' already.")
        }
        return true
    }

    private func answer<Body>(_ key: NewAccountKey, _ call: ChangeCall<Body>) -> ServiceAccountKey {
        ServiceAccountKey(
            key, projectID: call.project.id, hearthURL: PublicAddress.adminBase(call.head, context.services))
    }
}
