import HearthCatalog
import HearthCrypto
import HearthHTTP
import HearthIdentity
import HearthRollouts
import HearthStorage
import HearthStorageTestSupport
import HearthWire
import Testing

@testable import HearthDevicePlane
@testable import HearthManagement
@testable import HearthManagementTestSupport
@testable import HearthRouting
@testable import HearthServing

/// Guarded releases whose devices reach several servers.
@Suite("Several servers: rollouts", .enabled(if: TestServers.canRun, "TEST_POSTGRES is not set"))
struct ServerRolloutTests {
    private let database: TestDatabase
    private let servers: TestServers
    private let model: String
    private let one = hash(FakeProbe.ok("one"))
    private let two = hash(FakeProbe.ok("two"))

    init() throws {
        database = try TestServers.makeDatabase()
        servers = try TestServers(database: database)
        let first = servers.first
        model = try first.makeModel("flowers", FakeProbe.ok("one"), isPublished: true)
        first.waitForCheck(FakeProbe.ok("one"))
        try first.makeVersion(model, FakeProbe.ok("two"))
        first.waitForCheck(FakeProbe.ok("two"))
        let made = try first.hearthAdmin(
            .post, "models/\(model)/releases", #"{"version":2,"share":0.5,"guarding":{"onHarm":"rollback"}}"#)
        try #require(made.status == 200, "\(made.text)")
        try waitUntil("a server decides about rollouts") { servers.both.contains(where: Self.decides) }
        // Devices do not wait for a server that has not heard of the release yet.
        for service in servers.both {
            _ = try service.services.metadata.currentServingRevision()
            try service.handler.beginServing()
        }
        // Servers look every ten seconds: a watch that begins later leaves out who was offered the version before.
        try check()
    }

    private static func decides(_ service: TestService) -> Bool {
        service.services.metadata.coordination.holds(.rollouts)
    }

    private var decider: TestService { Self.decides(servers.first) ? servers.first : servers.second }

    private func ask(_ fid: String, having tag: String? = nil, at service: TestService) throws -> String? {
        let answer = try service.call(
            .get, "/v1beta2/projects/project-a/models/flowers:download?key=\(service.a.apiKey)",
            headers: [
                "x-goog-firebase-installations-auth": try service.installationToken(fid), "If-None-Match": tag ?? one,
            ])
        #expect([200, 304].contains(answer.status), "\(answer.text)")
        return answer.headers["ETag"]
    }

    /// The devices' calls, in turn at both servers; who is given version 2.
    ///
    /// - Parameter having: devices that have version 2 by now.
    @discardableResult
    private func askAll(_ fids: [String], turn: Int, having: Set<String> = []) throws -> Set<String> {
        Set(
            try fids.enumerated().filter { index, fid in
                try ask(fid, having: having.contains(fid) ? two : one, at: servers.both[(index + turn) % 2]) == two
            }.map(\.element))
    }

    /// What was seen is settled after that.
    private func settle() throws -> [String] {
        // Both send what they saw soon after; the one that decides uses it when both have.
        servers.first.time.advance(seconds: 11)
        let lines = try check()
        servers.first.time.advance(seconds: 689)
        return try lines + check() + check()
    }

    @discardableResult
    private func check() throws -> [String] { try servers.both.flatMap { try $0.handler.checkRollouts() } }

    @Test("A device whose calls reach different servers counts once, and all of them decide together")
    func together() throws {
        let fids = TestService.fids(100)
        let given = try askAll(fids, turn: 0)
        #expect(given.count > 20 && given.count < 80)
        var lines: [String] = []
        lines += try settle()
        for turn in 1...3 {
            try askAll(fids, turn: turn, having: turn == 1 ? given : [])
            lines += try settle()
        }
        let numbers =
            "came back without their version: \(given.count) of \(given.count) devices with version 2, 0 of \(100 - given.count) on the baseline"
        #expect(lines.count == 1 && lines[0].contains("was ended: \(numbers)"), "\(lines)")
        try waitUntil("both servers give the version before") {
            try servers.both.allSatisfy { try ask(fids[0], at: $0) == one }
        }
        try check()
        #expect(try decider.services.metadata.read { try $0.rolloutSightingIDs() }.isEmpty, "nothing stays behind")
    }

    @Test("A server that takes over knows what was seen, also what is in no stored watch yet")
    func takingOver() throws {
        let fids = TestService.fids(40)
        try askAll(fids, turn: 0)
        _ = try settle()
        let metadata = decider.services.metadata
        let exchange = { (watches: RolloutWatches) in RolloutExchange(metadata, watches, checkSeconds: 10) }
        let watches = RolloutWatches(
            decider.services.installationHash, decider.services.clock, limit: 10, isShared: true)
        let release = try #require(
            try metadata.read { try $0.servedReleases() }.map(\.release).first { $0.number == 2 })
        #expect(try exchange(watches).run([release], isLast: false).lines.isEmpty)
        let watch = try #require(watches.watch(of: release))
        #expect(watch.survey(holdSeconds: 0, atSeconds: 0).devices.reduce(0, +) == fids.count)
    }

    @Test("What a server of the version before sends makes the watch begin again, and harms nothing")
    func formerServer() throws {
        let fids = TestService.fids(40)
        let given = try askAll(fids, turn: 0)
        _ = try settle()
        let id = try #require(Int64(model))
        try decider.services.metadata.write { store in
            for bytes in [[UInt8](repeating: 0, count: 36), [7, 7]] {
                try store.insert(RolloutSightings(id: 0, modelID: id, release: 2, observations: bytes))
            }
        }
        #expect(try settle() == [])
        try askAll(fids, turn: 1)
        _ = try settle()
        servers.first.time.advance(seconds: 61)
        try check()
        let release = try decider.hearthAdmin(.get, "models/\(model)/releases/2")
        let devices = (release["guarding"] as? [String: Any])?["devices"] as? [String: Any]
        #expect(devices?["takingPart"] as? [String: Int] == ["version": 0, "below": fids.count - given.count])
        #expect(devices?["comparedShare"] as? Double == 0.5, "\(release.text)")
    }

    /// A release that is gone may have had the number of this one.
    @Test("What was seen before the database became another one does not count")
    func anotherDatabase() throws {
        try askAll(TestService.fids(40), turn: 0)
        _ = try settle()
        try TestDatabase.administer(
            """
            SET search_path = \(database.name); DELETE FROM rollout_watch; DELETE FROM rollout_sighting;
            UPDATE serving SET revision = revision - 1
            """)
        for service in servers.both {
            try waitUntil("it notices") { service.services.metadata.replacement != nil }
        }
        // What the second look stores, the other server shows.
        for _ in 0..<2 {
            try check()
            servers.first.time.advance(seconds: 61)
        }
        try check()
        for service in servers.both {
            let release = try service.hearthAdmin(.get, "models/\(model)/releases/2")
            let guards = try #require((release["guarding"] as? [String: Any])?["guards"] as? [[String: Any]])
            let devices = guards.first { $0["name"] as? String == "returned-without" }?["devices"] as? [String: Int]
            #expect((devices?["below"] ?? 0) == 0, "\(release.text)")
        }
    }

    @Test("A page of any server shows what all of them have seen")
    func pages() throws {
        let fids = TestService.fids(40)
        let given = try askAll(fids, turn: 0)
        try check()
        try check()
        servers.first.time.advance(seconds: 61)
        try check()
        servers.first.time.advance(seconds: 61)
        try check()
        for service in servers.both {
            let release = try service.hearthAdmin(.get, "models/\(model)/releases/2")
            let guards = (release["guarding"] as? [String: Any])?["guards"] as? [[String: Any]]
            let devices = guards?.first { $0["name"] as? String == "returned-without" }?["devices"] as? [String: Int]
            #expect(devices?["below"] == fids.count - given.count, "\(release.text)")
        }
    }
}
