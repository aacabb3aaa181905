import HearthIdentity
import Testing

@Suite("Who counts as one client") struct ClientNetworkTests {
    @Test("IPv4 addresses are told apart, also over an IPv6 socket")
    func ipv4() {
        #expect(ClientNetwork.name(of: "203.0.113.9") == "203.0.113.9")
        #expect(ClientNetwork.name(of: "::ffff:203.0.113.9") == "203.0.113.9")
        #expect(ClientNetwork.name(of: "::ffff:203.0.113.10") != "203.0.113.9")
    }

    @Test("An IPv6 client is its /64 network, however it is written")
    func ipv6() {
        let name = ClientNetwork.name(of: "2001:db8:1:2::1")
        for address in ["2001:db8:1:2:ffff::", "2001:0DB8:0001:0002::5", "2001:db8:1:2:1:2:3:4"] {
            #expect(ClientNetwork.name(of: address) == name)
        }
        for address in ["2001:db8:1:3::1", "2001:db8::1", "::1", "fe80::1"] {
            #expect(ClientNetwork.name(of: address) != name)
        }
    }

    @Test("Anything else is its own name", arguments: ["", "unix", ":", "2001:db8::1%eth0", "::ffff:1.2.3", "🔥:"])
    func others(text: String) { #expect(ClientNetwork.name(of: text) == text) }
}
