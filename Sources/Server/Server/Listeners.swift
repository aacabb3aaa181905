import Foundation
import HearthConcurrency
import HearthHTTP
import HearthWork

/// Where a server listens: one address, or one for devices and one for people and tools.
///
/// The ports are bound before anything else of the server exists, so that a start whose port is taken leaves nothing behind.
final class Listeners: Sendable {
    private let configuration: ServerConfiguration
    private let main: (configuration: HTTPServerConfiguration, port: BoundPort)
    private let admin: (configuration: HTTPServerConfiguration, port: BoundPort)?

    /// - Parameter isForDevices: whether there are only devices to answer, as at a follower.
    init(_ configuration: ServerConfiguration, isForDevices: Bool = false) throws {
        self.configuration = configuration
        let http = try configuration.http
        main = (http, try BoundPort(address: http.address, port: http.port))
        admin =
            isForDevices
            ? nil : try configuration.adminHTTP.map { ($0, try BoundPort(address: $0.address, port: $0.port)) }
    }

    /// Whether people and tools have an address of their own.
    var areApart: Bool { admin != nil }

    /// Listens, and answers from the start of the part on.
    ///
    /// - Parameters:
    ///   - everything: what answers at the one address, or at that of people and tools.
    ///   - devices: what answers at the address of devices, if there are two.
    func listen(
        everything: any RequestHandler, devices: any RequestHandler, errors: @escaping ErrorRenderer,
        log: @escaping AccessLog
    ) throws -> ListeningServers {
        let http = HTTPServer(
            configuration: main.configuration, handler: areApart ? devices : everything, errors: errors, log: log)
        try http.listen(on: main.port)
        let adminHTTP = admin.map {
            HTTPServer(configuration: $0.configuration, handler: everything, errors: errors, log: log)
        }
        if let admin { try adminHTTP?.listen(on: admin.port) }
        return ListeningServers(
            main: http, admin: adminHTTP, url: url(main.configuration.address, http.port),
            adminURL: adminHTTP.map { url(admin?.configuration.address ?? "", $0.port) })
    }

    private func url(_ address: String, _ port: UInt16) -> String {
        let host = address.contains(":") ? "[\(address)]" : address
        return "\(configuration.tlsCertificateFile == nil ? "http" : "https")://\(host):\(port)"
    }
}

/// The HTTP servers of a server, which listen.
final class ListeningServers: Sendable {
    /// That of devices, if there are two.
    let main: HTTPServer
    private let admin: HTTPServer?
    /// The address of `main`.
    let url: String
    /// The address for people and tools; nil if they use the other one.
    let adminURL: String?

    fileprivate init(main: HTTPServer, admin: HTTPServer?, url: String, adminURL: String?) {
        self.main = main
        self.admin = admin
        self.url = url
        self.adminURL = adminURL
    }

    var openConnections: Int { main.openConnections + (admin?.openConnections ?? 0) }

    /// To stop takes as long as the answers in progress.
    var part: ServerPart {
        ServerPart(
            "http",
            start: { [self] in
                try main.start()
                try admin?.start()
            },
            stop: { [self] done in
                // Who hears of the end may open the data again, so the thread keeps nothing open then.
                let servers = Lock<ListeningServers?>(self)
                Thread.detachNewThread {
                    servers.withLock { $0.take() }?.stop()
                    done()
                }
            })
    }

    private func stop() {
        main.stop()
        admin?.stop()
    }

    /// Lets devices that listen for updates connect elsewhere.
    func endStreams() {
        main.endStreams()
        admin?.endStreams()
    }

    func replaceTLS(with tls: HTTPServerConfiguration.TLS) throws {
        try main.replaceTLS(with: tls)
        try admin?.replaceTLS(with: tls)
    }
}
