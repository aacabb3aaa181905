import HearthCalls
import HearthCatalog
import HearthHTTP
import HearthIdentity
import HearthManagement
import HearthRouting
import HearthStorage
import HearthWire
import Testing

@testable import HearthManagementTestSupport

@Suite("Unfinished uploads, seen and given up by others") struct UnfinishedUploadTests {
    private static let path = "projects/project-a/uploads"
    private let contents = Array(FakeProbe.ok("a model of some length").utf8)
    private var total: Int { contents.count }

    private func list(_ service: TestService, token: String) throws -> [UploadBodies.Unfinished] {
        let answer = try service.hearth(.get, Self.path, token: token)
        #expect(answer.status == 200, "\(answer.text)")
        return try WireJSON.decode(UploadBodies.List.self, from: answer.body).uploads ?? []
    }

    @Test("A publisher sees what others left unfinished, without the id, and removes it")
    func life() throws {
        let service = try TestService()
        let publisher = try service.adminToken(.publisher)
        #expect(try list(service, token: publisher).isEmpty)
        let finished = try service.resumableAddress()
        #expect(try service.put(finished, contents).status == 200)
        _ = try service.beginResumable(as: service.b)
        let address = try service.resumableAddress(length: total)
        service.time.advance(seconds: 60)
        _ = try service.put(address, contents[..<10], range: "bytes 0-9/\(total)")

        let found = try list(service, token: publisher)
        let upload = try #require(found.first)
        #expect(found.count == 1 && !address.contains(upload.upload))
        #expect(upload.fileName == "Firebase/ML/Models/m.tflite" && upload.createdBy == service.a.account.email)
        #expect(upload.receivedBytes == "10" && upload.totalBytes == "\(total)")
        #expect(
            upload.createTime == "2027-01-15T08:00:00.000123Z" && upload.updateTime == "2027-01-15T08:01:00.000123Z")
        #expect(upload.expireTime == "2027-01-22T08:01:00.000123Z")

        let removed = try service.hearth(.delete, "\(Self.path)/\(upload.upload)", token: publisher)
        #expect(removed.status == 200 && removed.string("upload") == upload.upload, "\(removed.text)")
        #expect(try list(service, token: publisher).isEmpty)
        #expect(try service.services.blobs.resumable().isEmpty)
        try service.question(address).expectStorageRefusal(404, "notFound")
        let line = try #require(try service.auditLines().last)
        #expect(line.hasPrefix("token:") && line.hasSuffix(" upload.cancel uploads/\(upload.upload)"))
        try service.hearth(.delete, "\(Self.path)/\(upload.upload)", token: publisher).expectRefusal(404, "NOT_FOUND")
        #expect(try service.question(finished).status == 200, "what is finished stays")
    }

    @Test("What a request writes to now, and what is another project's, is left alone")
    func leftAlone() throws {
        let service = try TestService()
        let address = try service.resumableAddress(length: total)
        let publisher = try service.adminToken(.publisher)
        let name = try #require(try list(service, token: publisher).first).upload
        let stranger = try service.adminToken(.owner, in: "project-b")
        try service.hearth(.delete, "projects/project-b/uploads/\(name)", token: stranger).expectRefusal(
            404, "NOT_FOUND")
        let head = try RequestHead(
            method: .put, target: address, headers: try service.bearer(), contentLength: UInt64(total))
        guard case .streaming(let receiver) = service.handler.plan(for: head) else {
            Issue.record("no body is wanted")
            return
        }
        try service.hearth(.delete, "\(Self.path)/\(name)", token: publisher).expectRefusal(503, "UNAVAILABLE")
        receiver.abandon()
        #expect(try service.receivedBytesWhenIdle(address) == 0)
    }
}
