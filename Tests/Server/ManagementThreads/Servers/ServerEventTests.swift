import Dispatch
import HearthCatalog
import HearthHTTP
import HearthIdentity
import HearthStorage
import HearthWire
import Testing

@testable import HearthDevicePlane
@testable import HearthManagement
@testable import HearthManagementTestSupport
@testable import HearthRouting
@testable import HearthServing

/// What devices report to whichever server they reach.
@Suite("Several servers: events", .enabled(if: TestServers.canRun, "TEST_POSTGRES is not set"))
struct ServerEventTests {
    private let fid = TestService.fids(1)[0]

    private func counted(_ service: TestService) throws -> (units: Int, events: Int64) {
        try service.services.metadata.read { store in
            let units = try store.unitCounts(experiment: "colours", project: "project-a").values.reduce(0, +)
            let days = try store.eventDays(project: "project-a", limit: 10)
            return (units, days.filter { $0.event == "buy" }.reduce(0) { $0 + $1.count })
        }
    }

    @Test("A server counts what devices report about an experiment that started at another server a moment ago")
    func newExperiment() throws {
        let first = try TestService(database: TestServers.makeDatabase())
        let second = try TestService(beside: first) { $0.metadata = DeafStore($0.metadata) }
        #expect(try second.variant(of: fid) == nil)
        try first.makeExperiment(TestService.twoVariantExperiment())
        let variant = try #require(try first.variant(of: fid))
        let items = [TestService.exposure(1, variant), TestService.event(2, "buy")]
        #expect(try second.report(items, as: fid).status == 200)
        let counted = try counted(second)
        #expect(counted.units == 1 && counted.events == 1)
    }

    @Test("A batch that arrives at two servers is counted once, and the next one continues after it")
    func sameBatch() throws {
        let servers = try TestServers()
        try servers.first.makeExperiment(TestService.twoVariantExperiment())
        let variant = try #require(try servers.first.variant(of: fid))
        let batch = [TestService.exposure(1, variant), TestService.event(2, "buy"), TestService.event(3, "buy")]
        DispatchQueue.concurrentPerform(iterations: 8) { number in
            #expect(throws: Never.self) {
                let answer = try servers.both[number % 2].report(batch, as: fid)
                #expect(answer.status == 200, "\(answer.text)")
            }
        }
        let next = [TestService.event(3, "buy"), TestService.event(4, "buy")]
        #expect(try servers.second.report(next, as: fid).status == 200)
        let counted = try counted(servers.first)
        #expect(counted.units == 1 && counted.events == 3)
    }

    @Test("The overview of each server shows what the last analysis of an experiment said")
    func verdicts() throws {
        let servers = try TestServers()
        try servers.first.makeExperiment(TestService.twoVariantExperiment())
        try waitUntil("one server decides") {
            servers.both.contains { $0.services.metadata.coordination.holds(.experiments) }
        }
        for server in servers.both {
            try waitUntil("the server serves it") { try server.variant(of: fid) != nil }
            #expect(try server.handler.endDecidedExperiments() == [])
            let overview = try server.hearthAdmin(.get, "overview")
            #expect(overview.text.contains("analysisTime"), "\(overview.text)")
        }
    }

    @Test("A report about an experiment that another server has deleted meanwhile loses nothing else")
    func deletedExperiment() throws {
        let first = try TestService(database: TestServers.makeDatabase())
        let second = try TestService(beside: first)
        try first.makeExperiment(TestService.twoVariantExperiment())
        let variant = try #require(try first.variant(of: fid))
        #expect(try first.hearthAdmin(.post, "experiments/colours:stop", "{}").status == 200)
        #expect(try first.hearthAdmin(.delete, "experiments/colours").status == 200)
        let items = [TestService.exposure(1, variant), TestService.event(2, "buy")]
        #expect(try second.report(items, as: fid).status == 200)
        let counted = try counted(second)
        #expect(counted.units == 0 && counted.events == 1)
    }
}
