import Foundation
import HearthCrypto
import HearthFiles
import HearthTransport
import HearthWire

/// An installation of an app, made for the import: with it, Firebase gives published models as to a device.
///
/// One thread at a time.
package final class AppInstallation {
    /// Of the app, as in its plist.
    package let bundleID: String
    package let project: String
    private let apiKey: String
    private let appID: String
    private var token: String?

    private static let longestPlistBytes = 1 << 20

    /// Reads an app's `GoogleService-Info.plist`.
    ///
    /// - Throws: `invalidFile` or `invalidCredentials`.
    package init(plist path: String) throws(FirebaseError) {
        let data = try FirebaseError.mappingFileError { () throws(FileError) in
            Data(try DiskFiles().read(path, limitBytes: Self.longestPlistBytes))
        }
        guard let list = try? PropertyListDecoder().decode([String: PlistValue].self, from: data),
            let apiKey = list[CredentialsFile.apiKeyKey]?.text, let appID = list[CredentialsFile.appIDKey]?.text,
            let project = list[CredentialsFile.projectIDKey]?.text, WireNames.isWord(project)
        else {
            throw FirebaseError(
                .invalidCredentials,
                "\(path) is not a GoogleService-Info.plist with API_KEY, GOOGLE_APP_ID and PROJECT_ID.")
        }
        self.apiKey = apiKey
        self.appID = appID
        self.project = project
        bundleID = list[CredentialsFile.bundleIDKey]?.text ?? ""
    }

    /// A value of the plist; only texts matter.
    private struct PlistValue: Decodable {
        let text: String?

        init(from decoder: any Decoder) throws {
            text = try? decoder.singleValueContainer().decode(String.self)
        }
    }

    /// What Firebase tells a device about a model.
    struct Download {
        var url: String
        /// As Firebase names it; opaque to Firebase's own clients.
        var hash: String
        var sizeBytes: UInt64?
    }

    /// Where the bytes of a published model are.
    ///
    /// - Throws: `refused` with status 404 if there is no published model of that name.
    func download(of name: String, over connection: FirebaseConnection) throws(FirebaseError) -> Download {
        do throws(FirebaseError) {
            return try self.download(of: name, token: installationToken(connection), connection)
        } catch {
            guard error.status == 401 else { throw error }
            token = nil
            return try self.download(of: name, token: installationToken(connection), connection)
        }
    }

    private func download(
        of name: String, token: String, _ connection: FirebaseConnection
    ) throws(FirebaseError) -> Download {
        let path = "/v1beta2/projects/\(project)/models/\(FirebaseConnection.encoded(name)):download"
        let answer = try connection.json(
            FirebaseConnection.Call(
                url: connection.url("firebaseml.googleapis.com", path, query: [("key", apiKey)]),
                headers: app + [("x-goog-firebase-installations-auth", token)], subject: "the model \(name)"))
        guard let url = answer.value["downloadUri"]?.text, url.hasPrefix("http") else {
            throw FirebaseError(.malformedAnswer, "Google's answer about the model \(name) has no address.")
        }
        return Download(
            url: url, hash: answer.headers["ETag"] ?? "",
            sizeBytes: answer.value["sizeBytes"]?.integer.flatMap { UInt64(exactly: $0) })
    }

    private var app: [(String, String)] { bundleID.isEmpty ? [] : [("X-Ios-Bundle-Identifier", bundleID)] }

    private func installationToken(_ connection: FirebaseConnection) throws(FirebaseError) -> String {
        if let token { return token }
        let body: [String: String] = [
            "fid": Self.newID(), "authVersion": "FIS_v2", "appId": appID, "sdkVersion": "i:11.0.0",
        ]
        guard let json = try? WireJSON.encode(body) else { preconditionFailure("texts can be written as JSON") }
        let answer = try connection.json(
            FirebaseConnection.Call(
                method: "POST",
                url: connection.url("firebaseinstallations.googleapis.com", "/v1/projects/\(project)/installations/"),
                headers: app + [("X-Goog-Api-Key", apiKey), ("Content-Type", "application/json")], body: json,
                subject: "the registration of an installation"))
        guard let made = answer.value["authToken"]?["token"]?.text else {
            throw FirebaseError(.malformedAnswer, "Google's answer to the registration has no token.")
        }
        token = made
        return made
    }

    /// 22 characters of base64url, of which the first four bits are 0111.
    private static func newID() -> String {
        var bytes = (0..<17).map { _ in UInt8.random(in: 0 ... .max) }
        bytes[0] = bytes[0] & 0x0F | 0x70
        return String(Base64URL.encode(bytes).prefix(22))
    }
}
