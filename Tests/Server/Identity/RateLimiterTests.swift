import Dispatch
import Synchronization
import Testing

@testable import HearthIdentity

@Suite("Limits on calls") struct RateLimiterTests {
    private static let now: Int64 = 1_800_000_000_000_000

    /// Seconds to wait; 0 for a call that was let in.
    private func wait(_ gate: RateLimiter, _ caller: String = "a", at seconds: Double = 0) -> Int {
        do throws(RateLimiter.Refusal) {
            try gate.admit(caller, nowMicroseconds: Self.now + Int64(seconds * 1_000_000))
            return 0
        } catch {
            return error.retryAfterSeconds
        }
    }

    @Test("After the burst, calls are let in one interval apart, and a rest fills the bucket again, not more")
    func pace() {
        let gate = RateLimiter(.init(requestsPerMinute: 60, burst: 3))
        #expect((0..<4).map { _ in wait(gate) } == [0, 0, 0, 1])
        #expect(wait(gate, at: 0.999) == 1)
        #expect(wait(gate, at: 1) == 0)
        #expect(wait(gate, at: 1.5) == 1)
        #expect(wait(gate, at: 2) == 0)
        #expect((0..<4).map { _ in wait(gate, at: 3600) } == [0, 0, 0, 1])
        #expect(gate.refusals == 4)
    }

    @Test("Waiting as long as one is told to is enough, and shortly before that it is not", arguments: [1, 7, 59, 120])
    func retryAfter(perMinute: Int) {
        let gate = RateLimiter(.init(requestsPerMinute: perMinute, burst: 1))
        #expect(wait(gate) == 0)
        let told = wait(gate)
        #expect(told == Int((60.0 / Double(perMinute)).rounded(.up)))
        #expect(wait(gate, at: Double(told)) == 0)
    }

    @Test("Each caller has a bucket, and so has each group")
    func callers() throws {
        let gate = RateLimiter(.init(requestsPerMinute: 1, burst: 1))
        #expect(wait(gate, "a") == 0 && wait(gate, "b") == 0 && wait(gate, "a") == 60)
        try gate.admit("a", of: 7, nowMicroseconds: Self.now)
        #expect(throws: RateLimiter.Refusal.self) { try gate.admit("a", of: 7, nowMicroseconds: Self.now) }
    }

    @Test("No limit lets everything in", arguments: [0, -1, Int.min])
    func noLimit(perMinute: Int) {
        let gate = RateLimiter(.init(requestsPerMinute: perMinute, burst: 1))
        #expect((0..<1000).allSatisfy { _ in wait(gate) == 0 })
    }

    @Test("Absurd limits trap nowhere")
    func absurd() {
        for (perMinute, burst) in [(Int.max, Int.max), (1, Int.max), (1, Int.min), (Int.max, 0)] {
            #expect(wait(RateLimiter(.init(requestsPerMinute: perMinute, burst: burst))) == 0)
        }
    }

    @Test("A clock that is set back costs an empty bucket at most")
    func clockBack() {
        let gate = RateLimiter(.init(requestsPerMinute: 60, burst: 5))
        #expect(wait(gate, at: 1_000_000) == 0)
        #expect(wait(gate, at: 0) == 1)
        #expect(wait(gate, at: 1) == 0)
        #expect((0..<6).map { _ in wait(gate, at: 6) } == [0, 0, 0, 0, 0, 1])
    }

    @Test("From any number of threads, no call too many is let in")
    func threads() {
        let gate = RateLimiter(.init(requestsPerMinute: 1, burst: 100))
        let admitted = Atomic(0)
        DispatchQueue.concurrentPerform(iterations: 8) { _ in
            for _ in 0..<100 where wait(gate) == 0 { admitted.add(1, ordering: .relaxed) }
        }
        #expect(admitted.load(ordering: .relaxed) == 100)
        #expect(gate.refusals == 700)
    }

    @Test("A million callers take the memory of the first")
    func bounded() {
        var table = BucketTable(setCount: 16)
        let pace = RefillRate(.init(requestsPerMinute: 60, burst: 10))
        for caller in 0..<1_000_000 as Range<UInt64> {
            _ = pace.map { table.take(caller, at: $0, nowMicroseconds: Self.now) }
        }
        #expect(table.buckets.count == 16 * BucketTable.placesPerSet)
    }

    @Test("Nobody empties out by calling under other names: a forgotten bucket is not a full one")
    func eviction() throws {
        var table = BucketTable(setCount: 1)
        let pace = try #require(RefillRate(.init(requestsPerMinute: 60, burst: 4)))
        func take(_ caller: UInt64) -> Int64 { table.take(caller, at: pace, nowMicroseconds: Self.now) }
        #expect((0..<5).map { _ in take(1) } == [0, 0, 0, 0, 1_000_000])
        // Four calls under each of eight other names push the first one out.
        for other in 2...9 as ClosedRange<UInt64> { for _ in 0..<4 { _ = take(other) } }
        #expect(take(1) == 1_000_000, "it is held to be as busy as those that pushed it out")
    }

    @Test("Callers that rest give their places to newcomers, who start full")
    func newcomers() throws {
        var table = BucketTable(setCount: 1)
        let pace = try #require(RefillRate(.init(requestsPerMinute: 60, burst: 2)))
        for caller in 1...8 as ClosedRange<UInt64> {
            for _ in 0..<2 { _ = table.take(caller, at: pace, nowMicroseconds: Self.now) }
        }
        let later = Self.now + 2_000_000
        #expect((0..<3).map { _ in table.take(99, at: pace, nowMicroseconds: later) } == [0, 0, 1_000_000])
    }
}

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
