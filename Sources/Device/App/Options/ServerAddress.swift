import Foundation

/// The server's address and the values that each call carries.
package struct ServerAddress: Sendable {
    package let baseURL: String
    package let projectID: String
    package let apiKey: String
    package let bundleID: String

    /// nil when the options lack the project, the key or the server's address.
    package init?(_ options: FirebaseOptions) {
        guard let projectID = options.projectID, !projectID.isEmpty, let apiKey = options.apiKey, !apiKey.isEmpty,
            let url = options.serverURL, !url.isEmpty
        else { return nil }
        baseURL = url.hasSuffix("/") ? String(url.dropLast()) : url
        self.projectID = projectID
        self.apiKey = apiKey
        bundleID = options.bundleID
    }

    package func url(_ path: String) -> String { baseURL + path }

    /// Percent-encodes one path segment: everything but letters, digits and `-._~`.
    package static func segment(_ text: String) -> String {
        text.utf8.map { byte in
            let isPlain =
                (0x61...0x7A).contains(byte) || (0x41...0x5A).contains(byte) || (0x30...0x39).contains(byte)
                || [0x2D, 0x2E, 0x5F, 0x7E].contains(byte)
            if isPlain { return String(UnicodeScalar(byte)) }
            let digits = String(byte, radix: 16, uppercase: true)
            return digits.count == 1 ? "%0\(digits)" : "%\(digits)"
        }.joined()
    }

    /// The key goes into a header, not into the URL, so that no log on the way keeps it.
    package var headers: [(String, String)] {
        [("x-goog-api-key", apiKey), ("x-ios-bundle-identifier", bundleID)]
    }
}

/// What Installations needs of an app's options. Google's library ends the process when something is missing; here the
/// options are data that an operator wrote, so each call fails with `invalidConfiguration` instead.
enum InstallationOptions {
    static func address(_ options: FirebaseOptions) -> Result<ServerAddress, NSError> {
        guard let address = ServerAddress(options) else {
            let missing = [
                ("apiKey", options.apiKey), ("projectID", options.projectID), ("serverURL", options.serverURL),
            ].filter { $0.1?.isEmpty ?? true }.map { "`FirebaseOptions.\($0.0)`" }
            return failure("The following parameters are nil or empty: \(missing.joined(separator: ", ")).")
        }
        guard isAPIKey(address.apiKey) else {
            return failure(
                """
                `FirebaseOptions.apiKey` doesn't match the expected format: 39 letters, digits, `-` and `_`, of which \
                the first is an `A`.
                """)
        }
        return .success(address)
    }

    static func isAPIKey(_ text: String) -> Bool {
        text.utf8.count == 39 && text.hasPrefix("A")
            && text.utf8.allSatisfy { byte in
                (0x61...0x7A).contains(byte) || (0x41...0x5A).contains(byte) || (0x30...0x39).contains(byte)
                    || byte == 0x2D || byte == 0x5F
            }
    }

    private static func failure(_ what: String) -> Result<ServerAddress, NSError> {
        .failure(
            InstallationsErrorCode.error(
                .invalidConfiguration,
                "Could not configure Firebase Installations due to invalid FirebaseApp options. \(what)"))
    }
}
