import HearthCatalog
import HearthHTTP
import HearthManagement
import HearthRouting
import HearthStorage
import HearthValidation
import HearthWire
import Testing

@testable import HearthManagementTestSupport

@Suite("Rehearsals without a call") struct RehearsalStarterTests {
    private let service: TestService
    /// Runs the rehearsals, which fail at once.
    private let turns = TurnScheduler()

    init() throws { service = try Self.makeService(turns) }

    private static func makeService(
        _ turns: TurnScheduler, checker: any FileChecker = FakeProbe.validator, waitSeconds: Double = 86_400
    ) throws -> TestService {
        try TestService(checker: checker) { services in
            services.limits.validationWaitSeconds = waitSeconds
            var limits = RehearsalLimits()
            limits.leastImages = 2
            services.rehearsals = RehearsalQueue(
                metadata: services.metadata, blobs: services.blobs, executable: "/nonexistent", limits: limits,
                scheduler: turns, now: services.now, log: { _ in })
        }
    }

    private func addImages(_ id: String, _ service: TestService) throws {
        for name in ["a", "b"] {
            let path = "/hearth/v1/projects/project-a/models/\(id)/images/\(name)"
            let headers: HTTPHeaders = ["Authorization": "Bearer \(try service.accessToken(service.a))"]
            #expect(try service.call(.put, path, headers: headers, body: Array(name.utf8)).status == 200)
        }
        service.time.advance(seconds: 10)
    }

    private func makeModel(_ name: String = "flowers", isPublished: Bool = true) throws -> String {
        let id = try service.makeModel(name, FakeProbe.ok("\(name) 1"), isPublished: isPublished)
        try addImages(id, service)
        return id
    }

    private func rehearsals(_ id: String, _ service: TestService? = nil) throws -> [[String: Any]] {
        try (service ?? self.service).hearthAdmin(.get, "models/\(id)/rehearsals")["rehearsals"] as? [[String: Any]]
            ?? []
    }

    @Test("A new version is rehearsed against the released one, once in each run of the server")
    func newVersion() throws {
        let id = try makeModel()
        try service.handler.startRehearsals()
        #expect(try rehearsals(id).isEmpty, "the only version is released")
        try service.makeVersion(id, FakeProbe.ok("2"))
        try service.handler.startRehearsals()
        let first = try #require(try rehearsals(id).first)
        #expect(first["version"] as? Int == 2 && first["against"] as? Int == 1, "\(first)")
        #expect(first["createdBy"] as? String == "server", "\(first)")
        turns.passTime()
        #expect(try rehearsals(id).first?["state"] as? String == "failed")
        let time = try rehearsals(id).first?["createTime"] as? String
        service.time.advance(seconds: 60)
        try service.handler.startRehearsals()
        #expect(try rehearsals(id).first?["createTime"] as? String == time)
        service.restart()
        try service.handler.startRehearsals()
        #expect(try rehearsals(id).first?["createTime"] as? String != time)
    }

    @Test("A version is rehearsed when no images are being added any more")
    func imagesAreAdded() throws {
        let id = try makeModel(isPublished: false)
        service.time.set(aheadBySeconds: -1)
        try service.handler.startRehearsals()
        #expect(try rehearsals(id).isEmpty)
        service.time.set(aheadBySeconds: 1)
        try service.handler.startRehearsals()
        #expect(try rehearsals(id).count == 1)
    }

    @Test("A version is rehearsed when its check is over, however long that takes")
    func pending() throws {
        let checker = BlockingChecker()
        let slow = try Self.makeService(turns, checker: checker, waitSeconds: 0)
        let id = try slow.makeModel("flowers")
        try addImages(id, slow)
        try slow.makeVersion(id, FakeProbe.ok("1"))
        try slow.handler.startRehearsals()
        #expect(try rehearsals(id, slow).isEmpty)
        checker.open()
        slow.waitForCheck(FakeProbe.ok("1"))
        try slow.handler.startRehearsals()
        let first = try #require(try rehearsals(id, slow).first)
        #expect(first["version"] as? Int == 1 && first["against"] == nil, "\(first)")
    }

    @Test("Versions of many models take turns, and calls find a place between them")
    func places() throws {
        let ids = try (0..<3).map { try makeModel("flowers-\($0)", isPublished: false) }
        for _ in 0..<2 { try service.handler.startRehearsals() }
        #expect(try ids.map { try rehearsals($0).count } == [1, 1, 0])
        let called = try makeModel("called", isPublished: false)
        #expect(try service.hearthAdmin(.post, "models/\(called)/rehearsals").string("state") == "queued")
        // Each turn is one rehearsal.
        for _ in 0..<2 { turns.passTime() }
        try service.handler.startRehearsals()
        #expect(try ids.map { try rehearsals($0).count } == [1, 1, 1])
    }

    @Test("A version that was rehearsed before this run of the server is not rehearsed again")
    func rehearsedBefore() throws {
        let id = try makeModel()
        try service.makeVersion(id, FakeProbe.ok("2"))
        let model = try #require(Int64(id))
        let json = String(decoding: try WireJSON.encode(RehearsalBodies.Summary()), as: UTF8.self)
        try service.services.metadata.write { store in
            try store.put(
                RehearsalRecord(
                    modelID: model, candidateSHA256: hash(FakeProbe.ok("2")),
                    baselineSHA256: hash(FakeProbe.ok("flowers 1")),
                    imageSet: RehearsalImageSet.digest(of: try store.rehearsalImages(model: model)),
                    candidateVersion: 2, baselineVersion: 1, summaryJSON: json, imagesJSON: "[]",
                    createdMicroseconds: 1, createdBy: ""), keeping: 5)
        }
        try service.handler.startRehearsals()
        #expect(try rehearsals(id).map { $0["state"] as? String } == ["done"])
    }

    @Test("A model that lost its images is looked at again when it has new ones")
    func lostImages() throws {
        let id = try makeModel(isPublished: false)
        try service.handler.startRehearsals()
        turns.passTime()
        let time = try rehearsals(id).first?["createTime"] as? String
        service.time.advance(seconds: 60)
        #expect(try service.hearthAdmin(.delete, "models/\(id)/images/a").status == 200)
        try service.handler.startRehearsals()
        try addImages(id, service)
        try service.handler.startRehearsals()
        let first = try #require(try rehearsals(id).first)
        #expect(first["createTime"] as? String != time && first["state"] as? String == "queued", "\(first)")
    }

    @Test("A server that is stopping starts none, and takes that for no failure")
    func stopping() throws {
        let id = try makeModel(isPublished: false)
        service.services.rehearsals.stop {}
        try service.handler.startRehearsals()
        #expect(try rehearsals(id).isEmpty)
    }
}
