import Foundation
import HearthCatalog
import HearthFiles
import HearthIdentity
import HearthStorage
import HearthWire

/// The two credentials files, mode 0600: one is for admin tools, the other is built into apps.
package struct CredentialsFileSet {
    /// Their paths.
    package struct Files {
        package var admin: String?
        package var device: String?

        /// Of several servers, only the one that made the first project has its files.
        func present(isShared: Bool) -> Files {
            guard isShared else { return self }
            return Files(
                admin: admin.flatMap { PathKind($0) == .file ? $0 : nil },
                device: device.flatMap { PathKind($0) == .file ? $0 : nil })
        }
    }

    let folder: DataFolder

    var files: Files { Files(admin: folder.adminCredentials, device: folder.deviceCredentials) }

    /// Writes the files of a first start under their pending names.
    func write(_ first: NewProject, admin: String, device: String, as pending: PendingCredentials) throws {
        let key = ServiceAccountKey(
            projectID: first.project.id, privateKeyID: first.accountKey.id, privateKey: first.privateKeyPEM,
            clientEmail: first.account.email, clientID: first.accountKey.clientID, clientSecret: first.clientSecret,
            hearthURL: admin)
        try AtomicFile.write(CredentialsFile.serviceAccount(key), to: pending.path(for: folder.adminCredentials))
        let app = try CredentialsFile.app(
            apiKey: first.apiKey, appID: first.apiKeyRecord.appID, projectID: first.project.id,
            projectNumber: "\(first.project.number)", bundleID: first.bundleID, serverURL: device)
        try AtomicFile.write(app, to: pending.path(for: folder.deviceCredentials))
    }

    /// Writes the server's present address into the files that are still here, and keeps every other byte. Moved files stay where
    /// they are. The files of a deleted project stay unchanged, and so does what a link points to.
    ///
    /// - Parameter projects: all projects of the server.
    /// - Returns: the files, without those of a deleted project, whose keys no longer exist.
    /// - Throws: when a file is damaged; the file stays unchanged.
    func updateURL(admin: String, device: String, projects: Set<String>) throws -> Files {
        var files = files
        if let (key, bytes) = try adminKey() {
            if !projects.contains(key.projectID) {
                files.admin = nil
            } else if key.hearthURL != admin {
                try AtomicFile.write(
                    try Self.readdressed(bytes, key, admin) ?? notUpdated(folder.adminCredentials, admin),
                    to: folder.adminCredentials)
            }
        }
        if let (list, bytes) = try deviceList() {
            if let project = list[CredentialsFile.projectIDKey] as? String, !projects.contains(project) {
                files.device = nil
            } else if list[CredentialsFile.serverURLKey] as? String != device {
                try AtomicFile.write(
                    try PropertyListText(bytes).setting(CredentialsFile.serverURLKey, to: device, of: list),
                    to: folder.deviceCredentials)
            }
        }
        return files
    }

    /// Nil if the addresses are not found in the text.
    private static func readdressed(_ bytes: [UInt8], _ key: ServiceAccountKey, _ url: String) throws -> [UInt8]? {
        var expected = key
        expected.setHearthURL(url)
        var text = JSONObjectText(bytes)
        guard text.replace("hearth_url", with: expected.hearthURL), text.replace("token_uri", with: expected.tokenURI),
            let found = try? WireJSON.decode(ServiceAccountKey.self, from: text.bytes),
            try WireJSON.encode(found) == WireJSON.encode(expected)
        else { return nil }
        return text.bytes
    }

    private func notUpdated(_ path: String, _ url: String) throws -> [UInt8] {
        throw ServerStartError(
            """
            The credentials file \(path) has no address that \(url) can replace. Write \(url) there as hearth_url, and \
            \(url)/token as token_uri; or move the file away.
            """)
    }

    private func adminKey() throws -> (ServiceAccountKey, [UInt8])? {
        let path = folder.adminCredentials
        guard let bytes = try bytes(of: path) else { return nil }
        do {
            return (try WireJSON.decode(ServiceAccountKey.self, from: bytes), bytes)
        } catch {
            throw damaged(path, cause: error)
        }
    }

    /// A builder of apps may have added entries of any kind; they are kept.
    private func deviceList() throws -> ([String: Any], [UInt8])? {
        let path = folder.deviceCredentials
        guard let bytes = try bytes(of: path) else { return nil }
        let content = try? PropertyListSerialization.propertyList(from: Data(bytes), format: nil)
        guard let list = content as? [String: Any],
            Self.requiredKeys.allSatisfy({ list[$0] is String })
        else { throw damaged(path) }
        return (list, bytes)
    }

    private static let requiredKeys = [
        CredentialsFile.apiKeyKey, CredentialsFile.appIDKey, CredentialsFile.projectIDKey,
    ]

    private func bytes(of path: String) throws(FileError) -> [UInt8]? {
        PathKind(path) == .file ? try DiskFiles().read(path, limitBytes: 1 << 20) : nil
    }

    private func damaged(_ path: String, cause: (any Error)? = nil) -> ServerStartError {
        ServerStartError(
            "The credentials file \(path) is damaged. Restore it from a copy, or move it away.", cause: cause)
    }
}
