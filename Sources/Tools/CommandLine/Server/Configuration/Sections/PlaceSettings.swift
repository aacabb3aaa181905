import Foundation
import HearthCatalog

/// Where the server keeps its data, and where it is reached.
enum PlaceSettings: SettingSection {
    static let title = "Place"

    static let settings: [ServerSetting] = [
        .text("data", \.dataFolder, "folder", "Folder of everything the server keeps."),
        .optional(
            "project", \.projectID, "id",
            "Id of the project made at the first start; without one, hearth-default.",
            expectation: "6 to 30 lower-case letters, digits or hyphens", accepts: { Names.isProjectID($0) }),
        .text(
            "address", \.address, "address", "Numeric address to listen on.",
            expectation: "a numeric address, such as 127.0.0.1", accepts: { ListenAddress($0) != nil }),
        .number("port", \.port, 0...65535, "Port to listen on; 0 takes a free one."),
        .optional(
            "public-url", \.publicURL, "url", "Address that devices and tools reach the server under.",
            expectation: "an address that begins with http:// or https://, without a query (?) and a fragment (#)",
            accepts: isPublicURL),
        .optional("tls-certificate", \.tlsCertificateFile, "file", "PEM file of the certificate and its chain."),
        .optional("tls-key", \.tlsKeyFile, "file", "PEM file of the certificate's key."),
        .choice("tls-min-version", \.tlsMinimumVersion, "Oldest version of TLS that is spoken."),
        .toggle(
            "insecure-http", \.allowsInsecureHTTP, "Allow plain HTTP on an address other than loopback."),
    ]

    /// Paths are put behind it, so nothing may stand where they would be lost.
    private static func isPublicURL(_ text: String) -> Bool {
        guard let url = URLComponents(string: text), url.scheme == "http" || url.scheme == "https" else { return false }
        return url.host?.isEmpty == false && url.query == nil && url.fragment == nil
    }
}
