import Testing

@testable import HearthDevicePlane
@testable import HearthManagement
@testable import HearthManagementTestSupport
@testable import HearthRouting
@testable import HearthServing

@Suite("Remote Config: places for devices that wait") struct StreamAdmissionTests {
    private typealias Caller = StreamAdmission.Caller

    private func limits(
        _ streams: Int, project: Int = 100, key: Int = 100, network: Int = 100
    ) -> UpdateStreamLimits {
        var limits = UpdateStreamLimits()
        limits.streams = streams
        limits.projectPercent = project
        limits.keyPercent = key
        limits.networkPercent = network
        return limits
    }

    private func caller(_ project: String, _ key: String = "k", from network: String = "n") -> Caller {
        Caller(projectID: project, keyID: "\(project)-\(key)", network: network)
    }

    /// Plays callers one after the other, and keeps who has a place.
    private struct Game {
        var places: StreamAdmission
        var holders: [UInt64: Caller] = [:]
        var last: UInt64 = 0

        init(_ limits: UpdateStreamLimits) { places = StreamAdmission(limits) }

        @discardableResult
        mutating func come(_ caller: Caller) -> StreamAdmission.Decision {
            let decision = places.decision(for: caller)
            switch decision {
            case .refuse: return decision
            case .evict(let number): leave(number)
            case .admit: break
            }
            last += 1
            places.add(last, of: caller)
            holders[last] = caller
            return decision
        }

        mutating func leave(_ number: UInt64) {
            if let caller = holders.removeValue(forKey: number) { places.remove(number, of: caller) }
        }

        func count(_ project: String) -> Int { holders.values.count { $0.projectID == project } }
    }

    @Test("A project that is alone may have all places, and not one more")
    func alone() {
        var game = Game(limits(5))
        for _ in 1...5 { #expect(game.come(caller("a")) == .admit) }
        #expect(game.come(caller("a")) == .refuse)
        game.leave(3)
        #expect(game.come(caller("a")) == .admit)
    }

    @Test("Another project gets as many as the one that had all, from its oldest on")
    func takesFromTheLargest() {
        var game = Game(limits(6))
        for _ in 1...6 { game.come(caller("a")) }
        for oldest in 1...3 { #expect(game.come(caller("b")) == .evict(of: UInt64(oldest))) }
        #expect(game.come(caller("b")) == .refuse, "three and three")
        #expect(game.come(caller("a")) == .refuse, "nothing goes back and forth")
        #expect(game.come(caller("c")) == .evict(of: 4), "of two that have as many, the first by name")
        #expect(game.come(caller("c")) == .evict(of: 7))
        #expect(game.come(caller("c")) == .refuse)
        #expect([game.count("a"), game.count("b"), game.count("c")] == [2, 2, 2])
    }

    @Test("A project with fewer than its even part always gets a place, whatever others do")
    func guarantee() {
        var generator = SystemRandomNumberGenerator()
        var game = Game(limits(30))
        for _ in 0..<2000 {
            let project = ["a", "a", "a", "a", "b", "c"].randomElement(using: &generator) ?? "a"
            let network = "n\(Int.random(in: 0..<4, using: &generator))"
            let key = "k\(Int.random(in: 0..<2, using: &generator))"
            let fewer = game.count(project) < 30 / 3
            let decision = game.come(caller(project, key, from: network))
            #expect(!fewer || decision != .refuse)
            #expect(game.places.count == game.holders.count && game.holders.count <= 30)
            if Int.random(in: 0..<4, using: &generator) == 0, let any = game.holders.keys.randomElement() {
                game.leave(any)
            }
        }
    }

    @Test("In one project a key gives way to another key, and in one key a network to another network")
    func floors() {
        var game = Game(limits(4))
        for _ in 1...4 { game.come(caller("a", "one", from: "x")) }
        #expect(game.come(caller("a", "two", from: "x")) == .evict(of: 1))
        #expect(game.come(caller("a", "two", from: "y")) == .evict(of: 2))
        #expect(game.come(caller("a", "two", from: "z")) == .refuse, "two and two")
        game.leave(6)
        #expect(game.come(caller("a", "one", from: "x")) == .admit)
        #expect(game.come(caller("a", "one", from: "w")) == .evict(of: 3), "a network of the same key")
    }

    @Test(
        "Nobody has more than its share, even while places are free: n are let in, the next is not",
        arguments: [("project", 3), ("key", 4), ("network", 2)])
    func shares(side: String, allowed: Int) {
        var game = Game(limits(20, project: 15, key: 20, network: 10))
        if side == "key" { game = Game(limits(20, key: 20)) }
        for number in 0..<allowed {
            #expect(game.come(side == "network" ? caller("p\(number)") : caller("a", from: "\(number)")) == .admit)
        }
        #expect(game.come(side == "network" ? caller("q") : caller("a", from: "next")) == .refuse)
        #expect(game.come(caller("other", from: "elsewhere")) == .admit)
    }

    @Test("A share is one place at least")
    func smallShares() {
        var game = Game(limits(3, project: 1, key: 1, network: 1))
        #expect(game.come(caller("a", from: "x")) == .admit)
        #expect(game.come(caller("a", from: "y")) == .refuse)
        #expect(game.come(caller("b", from: "y")) == .admit)
    }

    @Test("What has gone leaves nothing behind, and goes once")
    func removal() {
        var game = Game(limits(2))
        game.come(caller("a"))
        game.places.remove(1, of: caller("a"))
        game.places.remove(1, of: caller("a"))
        game.places.remove(9, of: caller("b"))
        #expect(game.places.count == 0)
        #expect(game.places.decision(for: caller("b")) == .admit)
    }
}
