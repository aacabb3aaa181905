import Foundation
import HearthTestSupport
import HearthTransport
import Synchronization
import Testing

@Suite("Proxies") struct ProxyTests {
    @Test(
        "https goes through a tunnel: the proxy sees the host's name, and nothing else",
        .enabled(if: TLSServer.isAvailable, "the openssl program is absent"))
    func tunnel() throws {
        let server = try TLSServer(certificateFor: "DNS:models.invalid")
        let proxy = try TunnelProxy(toPort: server.port)
        // The name exists nowhere: only the proxy can lead to the server.
        let response = try client(proxy, caFile: server.caFile).send(
            TransportRequest(
                url: "https://models.invalid/secret-path", headers: [("Authorization", "Bearer secret-token")]))
        #expect(response.status == 200)
        #expect(proxy.heads.count == 1)
        #expect(proxy.heads.first?.hasPrefix("CONNECT models.invalid:443 HTTP/1.") == true)
        #expect(proxy.heads.first?.contains("secret") == false)
    }

    @Test(
        "The certificate is checked through a tunnel as ever",
        .enabled(if: TLSServer.isAvailable, "the openssl program is absent"))
    func tunnelToStranger() throws {
        let server = try TLSServer(certificateFor: "DNS:other.invalid")
        let proxy = try TunnelProxy(toPort: server.port)
        let request = TransportRequest(url: "https://models.invalid/")
        #expect(TestClient.error(request, by: client(proxy, caFile: server.caFile))?.code == .tls)
    }

    @Test("A proxy that refuses the tunnel is an error, not an answer", arguments: [403, 407, 502])
    func refusedTunnel(status: Int) throws {
        let proxy = try RawServer(always: { _ in
            TestClient.answer("the proxy's page", status: "\(status) No", headers: "Connection: close\r\n")
        })
        let client = CurlTransport(configuration: .init(proxy: .url(proxy.url())))
        var hasAnswer = false
        let error = TestClient.error(
            TransportRequest(url: "https://models.invalid/"), by: client, onHead: { _ in hasAnswer = true })
        #expect(error?.code == .couldNotConnect)
        #expect(error?.message.contains("proxy") == true)
        #expect(!hasAnswer)
    }

    @Test("A proxy that is not there is an error of the connection")
    func absentProxy() throws {
        let port = try RawServer.closedPort()
        let client = CurlTransport(configuration: .init(proxy: .url("http://127.0.0.1:\(port)")))
        #expect(
            TestClient.error(TransportRequest(url: "https://models.invalid/"), by: client)?.code == .couldNotConnect)
    }

    private func client(_ proxy: TunnelProxy, caFile: String) -> CurlTransport {
        CurlTransport(configuration: .init(caFile: caFile, proxy: .url(proxy.url)))
    }
}

/// A proxy that leads every tunnel to one port of this machine.
private final class TunnelProxy: Sendable {
    private let server: RawServer
    private let asked: Asked

    private final class Asked: Sendable {
        let heads = Mutex<[String]>([])
    }

    init(toPort port: Int) throws {
        let asked = Asked()
        self.asked = asked
        server = try RawServer { connection in
            guard let head = connection.readHead() else { return }
            asked.heads.withLock { $0.append(head) }
            guard let target = RawConnection(connectingToPort: UInt16(port)) else { return }
            connection.write("HTTP/1.1 200 Connection established\r\n\r\n")
            connection.exchange(with: target)
        }
    }

    var url: String { server.url() }

    /// What clients asked for.
    var heads: [String] { asked.heads.withLock { $0 } }
}
