internal import CMicroHTTPD

/// Where and how a server listens.
package struct HTTPServerConfiguration: Sendable {
    /// A certificate and its key, both as PEM text.
    package struct TLS: Sendable {
        /// The certificate, followed by its chain.
        package var certificatePEM: String
        /// The unencrypted private key.
        package var privateKeyPEM: String
        /// The oldest accepted version of the protocol.
        package var minimumVersion: TLSVersion

        package init(certificatePEM: String, privateKeyPEM: String, minimumVersion: TLSVersion = .v1_2) {
            self.certificatePEM = certificatePEM
            self.privateKeyPEM = privateKeyPEM
            self.minimumVersion = minimumVersion
        }
    }

    /// A numeric IPv4 or IPv6 address; `::` accepts both families.
    package var address: String
    /// 0 takes any free port.
    package var port: UInt16
    /// `nil` serves plain HTTP.
    package var tls: TLS?
    package var limits: ServerLimits
    /// The peers whose `X-Forwarded-For`, `-Proto` and `-Host` fields are trusted.
    package var trustedProxies: AddressRanges

    package init(
        address: String = "127.0.0.1", port: UInt16 = 0, tls: TLS? = nil, limits: ServerLimits = ServerLimits(),
        trustedProxies: AddressRanges = AddressRanges()
    ) {
        self.address = address
        self.port = port
        self.tls = tls
        self.limits = limits
        self.trustedProxies = trustedProxies
    }
}

extension HTTPServerConfiguration.TLS {
    /// Checks whether a server can start with the certificate and the key. Wraps GnuTLS' readers.
    ///
    /// - Parameters:
    ///   - certificate: the certificate's name in the error, such as its file.
    ///   - key: the key's name in the error.
    /// - Throws: `.invalidTLS`, which names the one that cannot be used, and says why.
    package func check(certificate: String, key: String) throws(HTTPServerError) {
        try Self.require(mhd_check_certificate(certificatePEM)) { reason in
            "\(certificate) is not a valid certificate (\(reason)). Give the PEM text of the certificate, followed by its chain."
        }
        try Self.require(mhd_check_key(privateKeyPEM)) { reason in
            "\(key) is not an unencrypted private key (\(reason)). Give the unencrypted PEM key of the certificate."
        }
        try Self.require(mhd_check_pair(certificatePEM, privateKeyPEM)) { reason in
            "\(certificate) and \(key) cannot be used together (\(reason)). Give a certificate with its chain and its own key."
        }
    }

    private static func require(_ status: Int32, _ message: (String) -> String) throws(HTTPServerError) {
        guard status != 0 else { return }
        var reason = gnutls_strerror(status).map { String(cString: $0) } ?? "error \(status)"
        while reason.hasSuffix(".") { reason.removeLast() }
        throw HTTPServerError(code: .invalidTLS, message: message(reason))
    }
}

/// The oldest TLS version that a server accepts. Versions before 1.2 have known weaknesses, and are never accepted (RFC
/// 8996).
package enum TLSVersion: String, Sendable, CaseIterable {
    case v1_2 = "1.2"
    case v1_3 = "1.3"

    /// The priority string for GnuTLS: these versions, ephemeral keys (ECDHE), and ciphers that authenticate what they
    /// encrypt (AEAD). No finite-field key exchange, because its cost falls on the server for every client. Clients of
    /// the last ten years support all of it.
    var priorities: String {
        switch self {
        case .v1_2:
            """
            NORMAL:-VERS-ALL:+VERS-TLS1.3:+VERS-TLS1.2:-KX-ALL:+ECDHE-ECDSA:+ECDHE-RSA:-CIPHER-ALL:+AES-128-GCM:\
            +AES-256-GCM:+CHACHA20-POLY1305:-MAC-ALL:+AEAD:-GROUP-ALL:+GROUP-X25519:+GROUP-SECP256R1:+GROUP-SECP384R1:\
            +GROUP-SECP521R1:-SIGN-RSA-SHA1:-SIGN-ECDSA-SHA1
            """
        case .v1_3:
            """
            NORMAL:-VERS-ALL:+VERS-TLS1.3:-KX-ALL:+ECDHE-ECDSA:+ECDHE-RSA:-CIPHER-ALL:+AES-128-GCM:\
            +AES-256-GCM:+CHACHA20-POLY1305:-MAC-ALL:+AEAD:-GROUP-ALL:+GROUP-X25519:+GROUP-SECP256R1:+GROUP-SECP384R1:\
            +GROUP-SECP521R1:-SIGN-RSA-SHA1:-SIGN-ECDSA-SHA1
            """
        }
    }
}
