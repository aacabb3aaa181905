import Foundation
import HearthCatalog
import HearthFiles
import HearthIdentity
import HearthStorage
import HearthWire

/// The two credentials files, mode 0600: one for admin tools, one to build into apps.
package struct CredentialsFileSet {
    /// Their paths.
    package struct Files {
        package var admin: String?
        package var device: String?
    }

    let folder: DataFolder

    var files: Files { Files(admin: folder.adminCredentials, device: folder.deviceCredentials) }

    /// Writes the files of a first start under their pending names.
    func write(_ first: NewProject, url: String, as pending: PendingCredentials) throws {
        let key = ServiceAccountKey(
            projectID: first.project.id, privateKeyID: first.accountKey.id, privateKey: first.privateKeyPEM,
            clientEmail: first.account.email, clientID: first.accountKey.clientID, clientSecret: first.clientSecret,
            hearthURL: url)
        try AtomicFile.write(CredentialsFile.serviceAccount(key), to: pending.path(for: folder.adminCredentials))
        let app = try CredentialsFile.app(
            apiKey: first.apiKey, appID: first.apiKeyRecord.appID, projectID: first.project.id,
            projectNumber: "\(first.project.number)", bundleID: first.bundleID, serverURL: url)
        try AtomicFile.write(app, to: pending.path(for: folder.deviceCredentials))
    }

    /// Files that are still here learn the server's present address, and keep every other byte; files that were moved away
    /// stay away, those of a deleted project stay as they are, and what a link leads to is not touched.
    ///
    /// - Parameter projects: all that there are.
    /// - Returns: the files without those of a deleted project: their keys are gone.
    /// - Throws: when a file is damaged; it is left as it is.
    func updateURL(_ url: String, projects: Set<String>) throws -> Files {
        var files = files
        if let (key, bytes) = try adminKey() {
            if !projects.contains(key.projectID) {
                files.admin = nil
            } else if key.hearthURL != url {
                try AtomicFile.write(
                    try Self.readdressed(bytes, key, url) ?? notUpdated(folder.adminCredentials, url),
                    to: folder.adminCredentials)
            }
        }
        if let (list, bytes) = try deviceList() {
            if let project = list[CredentialsFile.projectIDKey] as? String, !projects.contains(project) {
                files.device = nil
            } else if list[CredentialsFile.serverURLKey] as? String != url {
                try AtomicFile.write(
                    try PropertyListText(bytes).setting(CredentialsFile.serverURLKey, to: url, of: list),
                    to: folder.deviceCredentials)
            }
        }
        return files
    }

    /// Nil when the text is written so that its addresses are not found.
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
            The credentials file \(path) has no address that could be replaced by \(url). Write it there as hearth_url, \
            with /token behind it as token_uri, or move the file away.
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

    /// Whoever builds apps may have added entries of any kind; they are kept.
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

/// Credentials files of a first start that is not over: they lie under names that tell whose folder they are of until the
/// database has recorded what they are good for. Then they get their names. No file is ever replaced.
struct PendingCredentials {
    let layout: DataLayout
    /// Of the database.
    let folderID: String

    private static let mark = ".pending-"

    /// Whether a name in the folder of credentials is one of theirs, also half written.
    static func isPending(_ name: String, folderID: String) -> Bool {
        names.map { $0 + mark + folderID }.contains { name == $0 || AtomicFile.isTemporary(name, of: $0) }
    }

    private static let names = ["admin-service-account.json", "GoogleService-Info.plist"]

    /// Where a credentials file lies until it gets its name.
    func path(for file: String) -> String { file + Self.mark + folderID }

    /// Gives the files their names, after the database has recorded what they are good for. Does nothing where there are none.
    ///
    /// - Returns: those that had to stay, because other files have their names.
    func activate() throws(FileError) -> [String] {
        var (staying, hasMoved): ([String], Bool) = ([], false)
        for file in [layout.adminCredentials, layout.deviceCredentials] {
            let pending = path(for: file)
            try AtomicFile.sweepAbandoned(of: pending)
            guard PathKind(pending) == .file else { continue }
            guard PathKind(file) == .absent else {
                staying.append(pending)
                continue
            }
            try DiskFiles().rename(pending, to: file)
            hasMoved = true
        }
        if hasMoved { try DiskFiles().synchronizeFolder(layout.credentialsFolder) }
        return staying
    }
}
