import HearthCatalog
import HearthIdentity
import Testing

@Suite("Accounts and their keys") struct AccountRulesTests {
    private static let now: Int64 = 1000

    private func account(
        _ email: String, _ role: Role = .owner, project: String = "p", isOperator: Bool = false
    ) -> ServiceAccount {
        ServiceAccount(email: email, projectID: project, role: role, isOperator: isOperator, createdMicroseconds: 0)
    }

    private func key(_ id: String, of email: String, ends: Int64? = nil) -> AccountKey {
        AccountKey(
            id: id, email: email, clientID: id, publicKeyPEM: "", clientSecretHash: "", createdMicroseconds: 0,
            endsMicroseconds: ends)
    }

    private func mayRevoke(_ ids: [String], _ accounts: [ServiceAccount], _ keys: [AccountKey]) -> Bool {
        let revoked = keys.filter { ids.contains($0.id) }
        guard let account = accounts.first(where: { $0.email == revoked.first?.email }) else { return false }
        return
            (try? AccountRules.checkRevocation(
                of: revoked, account: account, accounts: accounts, keys: keys, nowMicroseconds: Self.now)) != nil
    }

    @Test("The last key of a project's last owner stays")
    func lastOwner() {
        let accounts = [account("a"), account("v", .viewer), account("p", .publisher), account("x", project: "q")]
        let keys = [key("1", of: "a"), key("2", of: "v"), key("3", of: "p"), key("4", of: "x")]
        #expect(!mayRevoke(["1"], accounts, keys), "neither others of the project nor owners of another take its place")
        #expect(mayRevoke(["2"], accounts, keys) && mayRevoke(["3"], accounts, keys))
        #expect(!mayRevoke(["4"], accounts, keys))
        #expect(mayRevoke(["1"], accounts, keys + [key("5", of: "a")]))
        #expect(!mayRevoke(["1", "5"], accounts, keys + [key("5", of: "a")]))
        #expect(!mayRevoke(["1"], accounts, keys + [key("5", of: "a", ends: Self.now)]), "an ended key is none")
        #expect(mayRevoke(["1"], accounts + [account("b")], keys + [key("5", of: "b")]))
        #expect(!mayRevoke(["1"], accounts + [account("b")], keys), "an owner without keys is none")
    }

    @Test("The last key of the last operator stays, even where the project has another owner")
    func lastOperator() {
        let accounts = [account("root", isOperator: true), account("a")]
        let keys = [key("1", of: "root"), key("2", of: "a")]
        #expect(!mayRevoke(["1"], accounts, keys))
        #expect(mayRevoke(["2"], accounts, keys), "the operator is an owner of the project too")
        let other = account("other", project: "q", isOperator: true)
        #expect(mayRevoke(["1"], accounts + [other], keys + [key("3", of: "other")]))
    }

    @Test("Nothing to revoke is always allowed")
    func nothing() throws {
        try AccountRules.checkRevocation(
            of: [], account: account("a"), accounts: [account("a")], keys: [], nowMicroseconds: Self.now)
    }

    @Test("Ended keys do not count against the limit of keys")
    func keyLimit() throws {
        let active = (1...AccountRules.keysPerAccount).map { key("\($0)", of: "a") }
        #expect(throws: CatalogError.self) {
            try AccountRules.checkNewKey(of: account("a"), keys: active, nowMicroseconds: Self.now)
        }
        var keys = active
        keys[3].endsMicroseconds = Self.now
        try AccountRules.checkNewKey(of: account("a"), keys: keys, nowMicroseconds: Self.now)
        try AccountRules.checkNewKey(of: account("b"), keys: active, nowMicroseconds: Self.now)
    }

    @Test("An operator acts everywhere as an owner; others in their project, with their role")
    func principals() {
        let root = Principal(account("root", .viewer, isOperator: true))
        #expect(root.isOperator && root.role == .owner && root.isMember(of: "anything"))
        let owner = Principal(account("a"))
        #expect(!owner.isOperator && owner.isMember(of: "p") && !owner.isMember(of: "q"))
        let wide = AdminToken(
            id: "7", projectID: nil, name: "", role: .viewer, secretHash: "", createdMicroseconds: 0, createdBy: "")
        #expect(Principal(wide).isMember(of: "q") && !Principal(wide).isOperator)
        #expect(Principal(wide).actor == "token:7")
    }
}
