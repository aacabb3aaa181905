import HearthIdentity
import Testing

@testable import HearthAPITestSupport
@testable import HearthHTTP

/// Connections and calls are counted for the same clients.
struct ClientNetworkTests {
    @Test func oneClientIsTheSameForConnectionsAndForCalls() throws {
        let addresses = [
            "192.0.2.1", "::ffff:192.0.2.1", "192.0.2.2", "2001:db8::1", "2001:db8::ffff:1", "2001:db8:0:1::1", "::1",
            "fe80::1",
        ]
        for one in addresses {
            for other in addresses {
                let isSame = try #require(IPAddress(one)).network == #require(IPAddress(other)).network
                #expect(isSame == (ClientNetwork.name(of: one) == ClientNetwork.name(of: other)), "\(one), \(other)")
            }
        }
    }
}
