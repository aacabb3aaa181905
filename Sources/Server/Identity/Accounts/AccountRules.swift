package import HearthCatalog

/// Rules for service accounts and their keys.
package enum AccountRules {
    /// The most active keys of one account.
    package static let keysPerAccount = 10

    /// Refuses a new key if the account has the most it may have.
    package static func checkNewKey(
        of account: ServiceAccount, keys: [AccountKey], nowMicroseconds now: Int64
    ) throws(CatalogError) {
        let active = keys.count { $0.email == account.email && $0.isActive(atMicroseconds: now) }
        guard active < keysPerAccount else {
            throw CatalogError(
                .failedPrecondition, "The account has \(keysPerAccount) keys already; revoke one of them first.")
        }
    }

    /// Refuses to revoke keys if no one could then sign in as an owner of the project, or as an operator of the server.
    ///
    /// - Parameters:
    ///   - revoked: keys of `account` that are active now.
    ///   - accounts: all accounts of the server; `keys` are all its keys.
    package static func checkRevocation(
        of revoked: [AccountKey], account: ServiceAccount, accounts: [ServiceAccount], keys: [AccountKey],
        nowMicroseconds now: Int64
    ) throws(CatalogError) {
        guard !revoked.isEmpty else { return }
        let ids = Set(revoked.map(\.id))
        let emails = activeEmails(keys.filter { !ids.contains($0.id) }, nowMicroseconds: now)
        let remaining = accounts.filter { emails.contains($0.email) }
        if account.isOperator, !remaining.contains(where: \.isOperator) {
            throw CatalogError(
                .failedPrecondition, "This is the last key of the last operator; create another one first.")
        }
        if account.role == .owner, !remaining.contains(where: { isOwner($0, of: account.projectID) }) {
            throw CatalogError(
                .failedPrecondition, "This is the last key of the project's last owner; create another one first.")
        }
    }

    /// Refuses to change the role of the last account that can sign in as an owner of the project.
    ///
    /// - Parameter accounts: all accounts of the server; `keys` are all its keys.
    package static func checkRole(
        _ role: Role, for account: ServiceAccount, accounts: [ServiceAccount], keys: [AccountKey],
        nowMicroseconds now: Int64
    ) throws(CatalogError) {
        guard role != .owner else { return }
        guard !account.isOperator else {
            throw CatalogError(.failedPrecondition, "An operator is always an owner; make an account for a lower role.")
        }
        guard account.role == .owner else { return }
        let emails = activeEmails(keys, nowMicroseconds: now).subtracting([account.email])
        guard accounts.contains(where: { emails.contains($0.email) && isOwner($0, of: account.projectID) }) else {
            throw CatalogError(.failedPrecondition, "This is the project's last owner; create another one first.")
        }
    }

    /// Refuses to delete the project if no one could then sign in as an operator of the server.
    ///
    /// - Parameter accounts: all accounts of the server; `keys` are all its keys.
    package static func checkRemoval(
        ofProject id: String, accounts: [ServiceAccount], keys: [AccountKey], nowMicroseconds now: Int64
    ) throws(CatalogError) {
        let emails = activeEmails(keys, nowMicroseconds: now)
        let operators = accounts.filter { $0.isOperator && emails.contains($0.email) }
        guard operators.isEmpty || operators.contains(where: { $0.projectID != id }) else {
            throw CatalogError(
                .failedPrecondition, "The project has the server's last operator; make one in another project first.")
        }
    }

    private static func activeEmails(_ keys: [AccountKey], nowMicroseconds now: Int64) -> Set<String> {
        Set(keys.filter { $0.isActive(atMicroseconds: now) }.map(\.email))
    }

    private static func isOwner(_ account: ServiceAccount, of project: String) -> Bool {
        account.projectID == project && account.role == .owner
    }
}
