import HearthWire

/// What the device shows to the server, and when it expires (seconds since 1970).
struct InstallationToken: Sendable, Equatable {
    var token: String
    var expires: Int64
}

extension InstallationToken {
    /// A secret that fits into a header: so long, and of visible ASCII.
    static func isCredential(_ text: String) -> Bool {
        (1...8192).contains(text.utf8.count) && text.utf8.allSatisfy { (0x21...0x7E).contains($0) }
    }

    /// nil when the answer's token or its lifetime makes no sense.
    init?(_ answer: InstallationBodies.AuthToken, nowSeconds: Int64) {
        guard Self.isCredential(answer.token), let lifetime = answer.lifetimeSeconds,
            (0...InstallationStep.longestLifetimeSeconds).contains(lifetime)
        else { return nil }
        self.init(token: answer.token, expires: nowSeconds + lifetime)
    }
}
