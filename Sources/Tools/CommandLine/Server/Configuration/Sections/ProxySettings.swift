/// What a proxy in front of the server may say and do.
enum ProxySettings: SettingSection {
    static let title = "Behind a proxy"

    static let settings: [ServerSetting] = [
        .addresses(
            "trusted-proxies", \.trustedProxies,
            "Proxies whose X-Forwarded-For, -Proto and -Host are believed."),
        .optional(
            "country-header", \.countryHeader, "name",
            "Header field in which a trusted proxy tells the client's country.",
            expectation: "the name of a header field, such as CF-IPCountry", accepts: isToken),
        .optional(
            "accel-redirect", \.accelRedirectPrefix, "path",
            "Path under which nginx sends the model files itself (X-Accel-Redirect).",
            expectation: "a path that begins and ends with '/', such as /hearth-blobs/", accepts: isFolderPath),
    ]

    @Sendable private static func isToken(_ text: String) -> Bool {
        text.utf8.count <= 100
            && text.utf8.allSatisfy { byte in
                (0x61...0x7A).contains(byte | 0x20) || (0x30...0x39).contains(byte) || byte == 0x2D || byte == 0x5F
            }
    }

    @Sendable private static func isFolderPath(_ text: String) -> Bool {
        text.hasPrefix("/") && text.hasSuffix("/") && !text.contains("//")
            && text.utf8.allSatisfy { byte in
                (0x61...0x7A).contains(byte | 0x20) || (0x2D...0x39).contains(byte) || byte == 0x5F
            }
    }
}
