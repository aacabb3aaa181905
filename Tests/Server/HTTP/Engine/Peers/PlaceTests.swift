import Testing

@testable import HearthHTTP

/// How connections are shared out among the networks that want some.
struct PlaceTests {
    private static let rule = NetworkQuota(places: 2048, perNetwork: 512)

    @Test func aNetworkHasItsLimit() {
        #expect(Self.rule.admits(held: 511, taken: 511))
        #expect(!Self.rule.admits(held: 512, taken: 512))
    }

    @Test func theLastPlacesAreForThoseWhoHoldFew() {
        #expect(Self.rule.admits(held: 511, taken: 1535))
        #expect(!Self.rule.admits(held: 64, taken: 1536), "an eighth of the 512 that are free")
        #expect(Self.rule.admits(held: 63, taken: 1536))
        #expect(Self.rule.admits(held: 12, taken: 1944))
        #expect(!Self.rule.admits(held: 13, taken: 1944))
        #expect(Self.rule.admits(held: 3, taken: 2047))
        #expect(!Self.rule.admits(held: 4, taken: 2047))
    }

    @Test func zeroAdmitsAnyNumber() {
        #expect(NetworkQuota(places: 10, perNetwork: 0).admits(held: 9, taken: 9))
    }

    @Test func afterAnyNumberOfLargeNetworksASmallOneFindsAPlace() {
        for networks in 1...30 {
            var held = [Int](repeating: 0, count: networks)
            var taken = 0
            for network in held.indices {
                while Self.rule.admits(held: held[network], taken: taken) && taken < 2048 {
                    held[network] += 1
                    taken += 1
                }
            }
            #expect(taken < 2048 && Self.rule.admits(held: 0, taken: taken), "\(networks) networks took \(taken)")
        }
    }

    @Test(arguments: [
        ("192.0.2.1", "192.0.2.1"), ("::ffff:192.0.2.1", "192.0.2.1"), ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::"),
        ("2001:db8:1:2::", "2001:db8:1:2::"), ("::1", "::"),
    ])
    func aNetworkIsAnIPv4AddressOrTheFirstHalfOfAnIPv6Address(address: String, network: String) throws {
        #expect(try #require(IPAddress(address)).network == IPAddress(network))
    }

    @Test func theClientOfAProxyIsItsNetwork() throws {
        func network(_ chain: String) throws -> IPAddress? {
            var headers = HTTPHeaders()
            headers.add("X-Forwarded-For", chain)
            let trusted = try #require(AddressRanges("10.0.0.0/8"))
            return ForwardedRequest(peer: "10.0.0.1", headers: headers, trusted: trusted)?.clientNetwork
        }
        #expect(try network("2001:db8:1:2:3:4:5:6, 10.0.0.2") == IPAddress("2001:db8:1:2::"))
        #expect(try network("192.0.2.7") == IPAddress("192.0.2.7"))
        #expect(try network("10.0.0.2") == nil, "what the proxies ask themselves is nobody's")
        #expect(try network("unknown") == nil)
    }

    @Test func aClientsRequestsInProgressAreCounted() throws {
        var limits = ServerLimits()
        limits.clientRequests = 2
        let clients = ClientRequestCounter(limits: limits)
        let one = try #require(IPAddress("192.0.2.1"))
        let other = try #require(IPAddress("192.0.2.2"))
        #expect(clients.enter(one, connections: 1))
        #expect(clients.enter(one, connections: 2))
        #expect(!clients.enter(one, connections: 3))
        #expect(clients.refusals == 1)
        #expect(clients.enter(other, connections: 3))
        clients.leave(one)
        #expect(clients.enter(one, connections: 3))
    }

    @Test func aQuarterOfTheConnectionsAtMostIsOneClients() throws {
        var limits = ServerLimits()
        limits.connections = 40
        let clients = ClientRequestCounter(limits: limits)
        let one = try #require(IPAddress("192.0.2.1"))
        for _ in 1...10 { #expect(clients.enter(one, connections: 20)) }
        #expect(!clients.enter(one, connections: 20))
        limits.clientRequests = 0
        let any = ClientRequestCounter(limits: limits)
        for _ in 1...100 { #expect(any.enter(one, connections: 40)) }
    }
}

/// Who gives way where connections are scarce.
struct CrowdReliefTests {
    private func holder(_ network: String?, _ since: Int, mayGiveUp: Bool = true) -> ConnectionEviction.Holder {
        ConnectionEviction.Holder(
            network: network.flatMap { IPAddress($0) }, isEvictable: mayGiveUp, since: .seconds(since))
    }

    @Test func theOldestOfTheNetworkThatHoldsMostGivesWay() {
        let holders = [
            holder("192.0.2.1", 1), holder("192.0.2.2", 9), holder("192.0.2.2", 5), holder("192.0.2.2", 7),
        ]
        #expect(ConnectionEviction.choose(1, of: holders) == [2])
        #expect(ConnectionEviction.choose(2, of: holders) == [2, 3])
        #expect(
            ConnectionEviction.choose(3, of: holders) == [2, 3, 0], "then both hold one, and the oldest of all goes")
        #expect(ConnectionEviction.choose(0, of: holders) == [])
    }

    @Test func whoIsServedStaysAndCounts() {
        let holders = [
            holder("192.0.2.1", 1, mayGiveUp: false), holder("192.0.2.1", 2, mayGiveUp: false), holder("192.0.2.1", 8),
            holder("192.0.2.2", 3), holder("192.0.2.2", 4),
        ]
        #expect(ConnectionEviction.choose(1, of: holders) == [2])
        #expect(ConnectionEviction.choose(9, of: holders) == [2, 3, 4])
    }

    @Test func peersWithoutAnAddressAreOne() {
        let holders = [holder("192.0.2.1", 1), holder(nil, 2), holder(nil, 3)]
        #expect(ConnectionEviction.choose(1, of: holders) == [1])
    }
}
