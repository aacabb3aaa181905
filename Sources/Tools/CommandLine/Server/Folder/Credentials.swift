import Foundation
import HearthCatalog
import HearthFiles
import HearthIdentity
import HearthLocalCommands
import HearthWire

/// The two credentials files, mode 0600: one for admin tools, one to build into apps.
struct Credentials {
    /// Their paths.
    struct Files {
        var admin: String?
        var device: String?
    }

    let folder: DataFolder

    var files: Files { Files(admin: folder.adminCredentials, device: folder.deviceCredentials) }

    func write(_ first: FirstStart, url: String) throws {
        let key = ServiceAccountKey(
            projectID: first.project.id, privateKeyID: first.accountKey.id, privateKey: first.privateKeyPEM,
            clientEmail: first.account.email, clientID: first.accountKey.clientID, clientSecret: first.clientSecret,
            hearthURL: url)
        try write(key)
        try write([
            "API_KEY": first.apiKey, "GOOGLE_APP_ID": first.apiKeyRecord.appID,
            "GCM_SENDER_ID": "\(first.project.number)",
            Self.projectKey: first.project.id, "BUNDLE_ID": first.bundleID, "PLIST_VERSION": "1",
            "STORAGE_BUCKET": "\(first.project.id).hearth", Self.urlKey: url,
        ])
    }

    /// Files that are still here learn the server's present address; files that were moved away stay away, and those of
    /// a deleted project stay as they are.
    ///
    /// - Parameter projects: all that there are.
    /// - Returns: the files without those of a deleted project: their keys are gone.
    /// - Throws: when a file is damaged; it is left as it is.
    func updateURL(_ url: String, projects: Set<String>) throws -> Files {
        var files = files
        if var key = try adminKey() {
            if !projects.contains(key.projectID) {
                files.admin = nil
            } else if key.hearthURL != url {
                key.setHearthURL(url)
                try write(key)
            }
        }
        if var list = try deviceList() {
            if let project = list[Self.projectKey] as? String, !projects.contains(project) {
                files.device = nil
            } else if list[Self.urlKey] as? String != url {
                list[Self.urlKey] = url
                try write(list)
            }
        }
        return files
    }

    private static let urlKey = "HEARTH_SERVER_URL"
    private static let projectKey = "PROJECT_ID"

    private func adminKey() throws -> ServiceAccountKey? {
        let path = folder.adminCredentials
        guard let bytes = try bytes(of: path) else { return nil }
        guard let key = try? WireJSON.decode(ServiceAccountKey.self, from: bytes) else { throw damaged(path) }
        return key
    }

    /// Whoever builds apps may have added entries of any kind; they are kept.
    private func deviceList() throws -> [String: Any]? {
        let path = folder.deviceCredentials
        guard let bytes = try bytes(of: path) else { return nil }
        let content = try? PropertyListSerialization.propertyList(from: Data(bytes), format: nil)
        guard let list = content as? [String: Any],
            ["API_KEY", "GOOGLE_APP_ID", Self.projectKey].allSatisfy({ list[$0] is String })
        else { throw damaged(path) }
        return list
    }

    private func bytes(of path: String) throws(FileError) -> [UInt8]? {
        let files = DiskFiles()
        return try files.size(path) == nil ? nil : files.read(path, limitBytes: 1 << 20)
    }

    private func damaged(_ path: String) -> CommandFailure {
        CommandFailure(
            "The credentials file \(path) is damaged. Restore it from a copy, or move it away.")
    }

    private func write(_ key: ServiceAccountKey) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        try AtomicFile.write(Array(try encoder.encode(key)), to: folder.adminCredentials)
    }

    private func write(_ list: [String: Any]) throws {
        let data = try PropertyListSerialization.data(fromPropertyList: list, format: .xml, options: 0)
        try AtomicFile.write(Array(data), to: folder.deviceCredentials)
    }
}
