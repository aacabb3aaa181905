internal import CMicroHTTPD

extension HTTPServerConfiguration.TLS {
    /// Whether a server can start with certificate and key. Wraps GnuTLS' readers.
    ///
    /// - Parameters:
    ///   - certificate: what the error calls the certificate, such as its file.
    ///   - key: the same for the key.
    /// - Throws: `.invalidTLS`, which names the one of the two that cannot be used, and says why.
    public func check(certificate: String, key: String) throws(HTTPServerError) {
        try Self.require(mhd_check_certificate(certificatePEM)) { reason in
            "\(certificate) is no certificate (\(reason)). Give the PEM text of the certificate, followed by its chain."
        }
        try Self.require(mhd_check_key(privateKeyPEM)) { reason in
            "\(key) is no private key without a password (\(reason)). Give the unencrypted PEM key of the certificate."
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
