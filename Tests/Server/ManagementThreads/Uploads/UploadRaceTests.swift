import Dispatch
import Foundation
import HearthCatalog
import HearthFiles
import HearthHTTP
import HearthManagement
import HearthRouting
import HearthStorage
import HearthTestSupport
import Testing

@testable import HearthManagementTestSupport

@Suite("Resumable uploads that meet each other") struct UploadRaceTests {
    private let contents = Array(FakeProbe.ok("a model of some length").utf8)
    private var total: Int { contents.count }

    @Test("The beginning of one upload takes no bytes of another, also of one that begins now")
    func beginning() throws {
        let service = try TestService()
        // Bytes whose record the beginner does not see: that of an upload that begins at the same time.
        let blob = try #require(try service.services.blobs.resume("newcomer", from: 0, limitBytes: 1000))
        try contents.withUnsafeBytes { try blob.write($0) }
        try blob.synchronize()
        _ = try service.resumableAddress()
        #expect(try service.services.blobs.resumable().contains("newcomer"))
    }

    @Test("An upload that has expired takes no place of those that a project may have")
    func expired() throws {
        let service = try TestService { $0.limits.uploadSessionsPerProject = 1 }
        _ = try service.resumableAddress()
        try service.beginResumable().expectStorageRefusal(429, "rateLimitExceeded")
        service.time.advance(seconds: Int64(service.services.limits.uploadSessionDays) * 86_400 + 1)
        #expect(try service.beginResumable().status == 200)
    }

    private func cancel(_ service: TestService, _ address: String) throws -> TestResponse {
        try service.call(.delete, address, headers: try service.bearer())
    }

    @Test("An upload that a request writes to cannot be cancelled before that is done")
    func busy() throws {
        let service = try TestService()
        let hearth = try TestService.path(
            service.call(
                .post, "/hearth/v1/projects/project-a/uploads?resumable=true",
                headers: ["Authorization": "Bearer \(try service.accessToken(service.a))", "Host": "127.0.0.1:8080"]))
        for address in [try service.resumableAddress(length: total), hearth] {
            let head = try RequestHead(
                method: .put, target: address, headers: try service.bearer(), contentLength: UInt64(total))
            guard case .streaming(let receiver) = service.handler.plan(for: head) else {
                Issue.record("no body is wanted")
                return
            }
            try contents[..<10].withUnsafeBytes { try receiver.receive($0) }
            #expect(try cancel(service, address).status == 503)
            receiver.abandon()
            let answer = try service.answerWhenIdle { try cancel(service, address) }
            #expect([499, 204].contains(answer.status))
            #expect(try service.question(address).status == 404)
        }
        #expect(try service.services.blobs.resumable().isEmpty)
    }

    @Test("What a broken request brought is told of, or it is said to wait: never less")
    func unsettled() throws {
        let service = try TestService()
        let address = try service.resumableAddress(length: total)
        let head = try RequestHead(
            method: .put, target: address, headers: try service.bearer(), contentLength: UInt64(total))
        let (isHeld, release) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        let metadata = service.services.metadata
        Thread.detachNewThread {
            try? metadata.write { store in
                isHeld.signal()
                release.wait()
                for session in try store.uploadSessions() { try store.delete(session) }
            }
        }
        isHeld.wait()
        _ = InProcessCall.run(service.handler, head, body: Array(contents[..<10]), pieceBytes: 5, breaksOff: true)
        for _ in 0..<20 { try service.question(address).expectStorageRefusal(503, "backendError") }
        release.signal()
        #expect(try service.receivedBytesWhenIdle(address) == nil)
        #expect(
            service.log.lines == [
                "an upload's last bytes are not kept: Upload not found: it was never started, was cancelled or has expired. "
                    + "Start a new one."
            ])
    }

    @Test("An upload that is forgotten while its last request completes is gone, which is no failure of the server")
    func forgotten() throws {
        let folder = try TemporaryFolder()
        let files = FailingFiles()
        let blobs = try FileBlobStore(folder: folder.path, files: files)
        let service = try TestService { $0.blobs = blobs }
        let address = try service.resumableAddress(length: total)
        let metadata = service.services.metadata
        files.fail { step in
            if case .rename = step {
                try? metadata.write { store in for session in try store.uploadSessions() { try store.delete(session) } }
            }
            return nil
        }
        try service.put(address, contents).expectStorageRefusal(404, "notFound")
        #expect(try metadata.read { try $0.objects(project: "project-a") }.isEmpty)
    }
}
