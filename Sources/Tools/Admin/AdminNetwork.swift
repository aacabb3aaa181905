package import HearthTransport

/// How the client reaches a server.
public struct AdminNetwork: Sendable, Hashable {
    /// The proxy of the calls.
    public enum Proxy: Sendable, Hashable {
        /// The proxy in `http_proxy`, `https_proxy`, `all_proxy` and `no_proxy` of the process's environment.
        case environment
        /// No proxy.
        case none
        /// This one, such as `http://proxy.example:3128`.
        case url(String)
    }

    /// A PEM file of the certificates to trust instead of the system's; nil for the system's.
    public var caFile: String?
    /// The proxy.
    public var proxy: Proxy

    /// Makes a description of the network; without arguments, the usual one.
    public init(caFile: String? = nil, proxy: Proxy = .environment) {
        self.caFile = caFile
        self.proxy = proxy
    }

    /// For ``AdminClient``.
    package var transport: any Transport {
        let proxy: CurlTransport.Proxy =
            switch self.proxy {
            case .environment: .environment
            case .none: .none
            case .url(let url): .url(url)
            }
        return CurlTransport(configuration: CurlTransport.Configuration(caFile: caFile, proxy: proxy))
    }
}
