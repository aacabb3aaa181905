/// A version of TLS that a server may insist on. Older ones have known weaknesses, and are never spoken (RFC 8996).
public enum TLSVersion: String, Sendable, CaseIterable {
    case v1_2 = "1.2"
    case v1_3 = "1.3"

    /// What GnuTLS is told: these versions, keys that are forgotten after each connection (ECDHE), and ciphers that
    /// authenticate what they encrypt (AEAD). No finite-field key exchange: its cost falls on the server, whatever the client
    /// is worth. Clients of the last ten years have all of it.
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
