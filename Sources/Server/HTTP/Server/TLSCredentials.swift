internal import CMicroHTTPD
internal import Glibc

/// The only owner of a certificate and key in the form of GnuTLS. Connections keep it while they are open.
///
/// `@unchecked Sendable`: the pointer is a constant, GnuTLS only reads the memory behind it from then on, and `deinit`
/// frees it once, when no connection uses it any more.
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
