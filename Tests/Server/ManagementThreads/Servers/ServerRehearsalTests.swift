import HearthCatalog
import HearthCrypto
import HearthHTTP
import HearthIdentity
import HearthStorage
import HearthValidation
import HearthWire
import Testing

@testable import HearthDevicePlane
@testable import HearthManagement
@testable import HearthManagementTestSupport
@testable import HearthRouting
@testable import HearthServing

/// Rehearsals that are asked about at another server than the one that runs them.
@Suite("Several servers: rehearsals", .enabled(if: TestServers.canRun, "TEST_POSTGRES is not set"))
struct ServerRehearsalTests {
    @Test("A rehearsal that waits or failed at one server is found at the other one, and not begun twice")
    func open() throws {
        let turns = TurnScheduler()
        let servers = try TestServers { services in
            var limits = RehearsalLimits()
            limits.leastImages = 2
            services.rehearsals = RehearsalQueue(
                metadata: services.metadata, blobs: services.blobs, executable: nil, limits: limits, scheduler: turns,
                now: services.now, log: { _ in })
        }
        let (first, second) = (servers.first, servers.second)
        let id = try first.makeModel("flowers", FakeProbe.ok("1"), isPublished: true)
        first.waitForCheck(FakeProbe.ok("1"))
        for name in ["a", "b"] {
            let put = try first.call(
                .put, "/hearth/v1/projects/project-a/models/\(id)/images/\(name)",
                headers: ["Authorization": "Bearer \(try first.accessToken(first.a))"], body: [1])
            #expect(put.status == 200, "\(put.text)")
        }
        let path = "models/\(id)/rehearsals"
        let started = try first.hearthAdmin(.post, path)
        #expect(started.string("state") == "queued", "\(started.text)")
        let rehearsal = try #require(started.string("rehearsal"))
        #expect(try second.hearthAdmin(.get, "\(path)/\(rehearsal)").string("state") == "queued")
        #expect(try second.hearthAdmin(.get, path).text.contains(rehearsal))
        #expect(try second.hearthAdmin(.post, path).string("rehearsal") == rehearsal)
        #expect(second.services.rehearsals.open.isEmpty, "one server rehearses")
        turns.passTime()
        #expect(try first.hearthAdmin(.get, "\(path)/\(rehearsal)").string("state") == "failed")
        try first.handler.writeForOtherServers()
        #expect(try second.hearthAdmin(.get, "\(path)/\(rehearsal)").string("state") == "failed")
        first.time.advance(seconds: 100)
        #expect(
            try second.hearthAdmin(.get, "\(path)/\(rehearsal)").status == 404, "the first server says nothing more")
    }
}
