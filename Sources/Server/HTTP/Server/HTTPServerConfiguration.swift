/// Where and how a server listens.
public struct HTTPServerConfiguration: Sendable {
    /// A certificate and its key, both as PEM text.
    public struct TLS: Sendable {
        /// The certificate, followed by its chain.
        public var certificatePEM: String
        /// The unencrypted private key.
        public var privateKeyPEM: String
        /// The oldest version of the protocol that is spoken.
        public var minimumVersion: TLSVersion

        public init(certificatePEM: String, privateKeyPEM: String, minimumVersion: TLSVersion = .v1_2) {
            self.certificatePEM = certificatePEM
            self.privateKeyPEM = privateKeyPEM
            self.minimumVersion = minimumVersion
        }
    }

    /// A numeric IPv4 or IPv6 address; `::` takes both families.
    public var address: String
    /// 0 takes any free port.
    public var port: UInt16
    /// `nil` serves plain HTTP.
    public var tls: TLS?
    public var limits: ServerLimits
    /// The peers whose `X-Forwarded-For`, `-Proto` and `-Host` fields are believed.
    public var trustedProxies: AddressRanges

    public init(
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
