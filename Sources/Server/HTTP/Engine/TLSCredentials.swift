internal import CMicroHTTPD

/// The one owner of a certificate and key as GnuTLS keeps them. Connections hold it as long as they are open.
///
/// `@unchecked Sendable`: the pointer is a constant, GnuTLS only reads what is behind it from then on, and it is freed once,
/// in `deinit`, when no connection has it.
final class TLSCredentials: @unchecked Sendable {
    let handle: UnsafeMutableRawPointer

    init(_ tls: HTTPServerConfiguration.TLS) throws(HTTPServerError) {
        var handle: UnsafeMutableRawPointer?
        let status = mhd_make_credentials(tls.certificatePEM, tls.privateKeyPEM, &handle)
        guard status == 0, let handle else {
            throw HTTPServerError(
                code: .invalidTLS,
                message: "The TLS certificate or key was refused; give a PEM chain and its unencrypted PEM key.")
        }
        self.handle = handle
    }

    deinit { gnutls_certificate_free_credentials(handle) }
}
