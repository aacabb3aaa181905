import Foundation
import HearthCatalog
import HearthFiles
import HearthIdentity
import HearthWire

/// The two credentials files, mode 0600: one for admin tools, one to build into apps.
struct Credentials {
    let folder: DataFolder

    func write(_ first: FirstStart, url: String) throws {
        let key = ServiceAccountKey(
            projectID: first.project.id, privateKeyID: first.account.keyID, privateKey: first.privateKeyPEM,
            clientEmail: first.account.email, clientID: first.account.clientID, clientSecret: first.clientSecret,
            hearthURL: url)
        try write(key)
        try write([
            "API_KEY": first.apiKey, "GOOGLE_APP_ID": first.project.appID, "GCM_SENDER_ID": "\(first.project.number)",
            "PROJECT_ID": first.project.id, "BUNDLE_ID": first.bundleID, "PLIST_VERSION": "1",
            "STORAGE_BUCKET": "\(first.project.id).hearth", "HEARTH_SERVER_URL": url,
        ])
    }

    /// Files that are still here learn the server's present address; files that were moved away stay away.
    func updateURL(_ url: String) throws {
        let files = DiskFiles()
        if try files.size(folder.adminCredentials) != nil {
            var key = try WireJSON.decode(
                ServiceAccountKey.self, from: try files.read(folder.adminCredentials, limitBytes: 1 << 20))
            if key.hearthURL != url {
                key.setHearthURL(url)
                try write(key)
            }
        }
        if try files.size(folder.deviceCredentials) != nil {
            let data = Data(try files.read(folder.deviceCredentials, limitBytes: 1 << 20))
            let list = try PropertyListSerialization.propertyList(from: data, format: nil) as? [String: String]
            if var list, list["HEARTH_SERVER_URL"] != url {
                list["HEARTH_SERVER_URL"] = url
                try write(list)
            }
        }
    }

    private func write(_ key: ServiceAccountKey) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        try AtomicFile.write(Array(try encoder.encode(key)), to: folder.adminCredentials)
    }

    private func write(_ list: [String: String]) throws {
        let data = try PropertyListSerialization.data(fromPropertyList: list, format: .xml, options: 0)
        try AtomicFile.write(Array(data), to: folder.deviceCredentials)
    }
}
