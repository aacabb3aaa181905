import HearthCatalog
import HearthHTTP
import HearthManagement
import HearthRouting
import HearthStorage
import HearthWire
import Testing

@testable import HearthManagementTestSupport

@Suite("Releases of versions that crash the engine, over HTTP") struct CrashingReleaseTests {
    private let service: TestService
    private let id: String
    private static let text = "Version 2 crashed the engine when the server ran it on zeros"

    init() throws {
        service = try TestService()
        id = try service.makeModel("flowers", FakeProbe.ok("1"), isPublished: true)
    }

    private func lastAudit() throws -> AuditEntry? {
        try service.services.metadata.read { try $0.audit(project: "project-a", before: nil, limit: 1).first }
    }

    @Test("Each call that gives a version to devices refuses one, and says how to release it all the same")
    func refused() throws {
        try service.makeVersion(id, FakeProbe.dying("2"))
        let path = "models/\(id)/releases"
        let full = try service.hearthAdmin(.post, path)
        for answer in [
            full, try service.hearthAdmin(.post, path, #"{"share":0.1}"#),
            try service.hearthAdmin(.post, "models/\(id):rollback", #"{"version":2}"#),
        ] {
            answer.expectRefusal(400, "FAILED_PRECONDITION")
            #expect(answer.string("error.message")?.hasPrefix(Self.text) == true)
            #expect(answer.string("error.message")?.contains("'allowCrashing'") == true)
        }
        let published = try service.admin(
            .patch, "models/\(id)?updateMask=state.published", #"{"state":{"published":true}}"#)
        // Existing tools read refusals of the management calls out of the operation.
        #expect(published.status == 200)
        #expect(published.string("error.message") == full.string("error.message"))
        #expect(try service.delivered("flowers") == hash(FakeProbe.ok("1")))
    }

    @Test("New bytes for a published model that crash are stored and not released, and the answer says so")
    func replaced() throws {
        #expect(try service.upload(FakeProbe.dying("2"), name: "two").status == 200)
        let answer = try service.admin(
            .patch, "models/\(id)?updateMask=tfliteModel.gcsTfliteUri",
            #"{"tfliteModel":{"gcsTfliteUri":"\#(service.uri("two"))"}}"#)
        #expect(answer.string("error.message")?.hasPrefix(Self.text) == true)
        #expect(try service.admin(.get, "models/\(id)")["hearth.version"] as? Int == 2)
        #expect(try service.delivered("flowers") == hash(FakeProbe.ok("1")))
        #expect(try lastAudit()?.action == "model.publish.refused")
    }

    @Test("A call that allows it releases one, and the audit tells of it")
    func allowed() throws {
        try service.makeVersion(id, FakeProbe.dying("2"))
        let made = try service.hearthAdmin(.post, "models/\(id)/releases", #"{"allowCrashing":true}"#)
        #expect(made.status == 200 && made["version"] as? Int == 2)
        #expect(try service.delivered("flowers") == hash(FakeProbe.dying("2")))
        #expect(try lastAudit()?.detail.contains("although it crashed the engine here") == true)
    }
}
