import HearthCalls
import HearthCatalog
import HearthIdentity
import HearthWire

/// How accounts, keys and tokens look on the wire.
extension KeyBodies.ServiceAccount {
    init(_ account: HearthCatalog.ServiceAccount, keys: [HearthCatalog.AccountKey]) {
        self.init(
            email: account.email, role: account.role.rawValue, operator: account.isOperator ? true : nil,
            createTime: WireTime.text(account.createdMicroseconds),
            keys: keys.isEmpty ? nil : keys.map(KeyBodies.AccountKey.init))
    }
}

extension KeyBodies.AccountKey {
    init(_ key: HearthCatalog.AccountKey) {
        self.init(
            id: key.id, createTime: WireTime.text(key.createdMicroseconds),
            endTime: key.endsMicroseconds.map(WireTime.text))
        if key.hasEnded { ended = true }
    }
}

extension KeyBodies.APIKey {
    /// - Parameter key: the secret key; only the answer that creates it contains it.
    init(_ record: HearthCatalog.APIKey, key: String? = nil) {
        self.init(
            id: record.id, name: record.name, appId: record.appID,
            bundleIds: record.bundleIDs.isEmpty ? nil : record.bundleIDs,
            createTime: WireTime.text(record.createdMicroseconds), endTime: record.endsMicroseconds.map(WireTime.text),
            key: key)
        if record.hasEnded { ended = true }
    }
}

extension KeyBodies.AdminToken {
    /// - Parameter token: the secret token; only the answer that creates it contains it.
    init(_ record: HearthCatalog.AdminToken, token: String? = nil) {
        self.init(
            id: record.id, name: record.name, role: record.role.rawValue, projectId: record.projectID,
            createTime: WireTime.text(record.createdMicroseconds), createdBy: record.createdBy,
            endTime: record.endsMicroseconds.map(WireTime.text), token: token)
        if record.hasEnded { ended = true }
    }
}

extension ServiceAccountKey {
    /// The key file of a new key.
    init(_ key: NewAccountKey, projectID: String, hearthURL: String) {
        self.init(
            projectID: projectID, privateKeyID: key.record.id, privateKey: key.privateKeyPEM,
            clientEmail: key.record.email, clientID: key.record.clientID, clientSecret: key.clientSecret,
            hearthURL: hearthURL)
    }
}
