import Dispatch
import Foundation
import Glibc
import HearthManagement
import HearthRouting
import HearthStorage
import Testing

@testable import HearthHTTP
@testable import HearthManagementTestSupport

@Suite("A writer that takes its time holds up nobody who does not write") struct SlowWriterTests {
    /// Runs one call of each kind that changes something; the statuses in order.
    private func change(_ service: TestService) throws -> [String] {
        var answers: [String] = []
        func hearth(_ method: HTTPMethod, _ path: String, _ json: String = "{}") throws -> TestResponse {
            let answer = try service.call(
                method, "/hearth/v1/projects/project-a/\(path)", headers: try service.bearer(), body: Array(json.utf8))
            answers.append("\(method) \(path.prefix { $0 != "?" }): \(answer.status)")
            return answer
        }
        let id = try service.makeModel("flowers", FakeProbe.ok("1"), isPublished: true)
        _ = try service.upload(FakeProbe.ok("2"), name: "second")
        let source = #"{"source":"\#(service.uri("second"))"}"#
        _ = try hearth(.post, "models/\(id)/versions", source)
        let release = try hearth(.post, "models/\(id)/releases", #"{"share":0.5}"#)
        let number = try #require(release["release"] as? Int, "\(release.text)")
        _ = try hearth(.patch, "models/\(id)/releases/\(number)", #"{"share":0.6}"#)
        for verb in ["pause", "resume", "end"] { _ = try hearth(.post, "models/\(id)/releases/\(number):\(verb)", "") }
        _ = try hearth(.post, "models/\(id):rollback", "")
        answers.append("publish: \(try service.publish(id, false).status)")
        answers.append("delete: \(try service.admin(.delete, "models/\(id)").status)")
        let begun = try hearth(.post, "uploads?resumable=true&name=x", "")
        let own = try TestService.path(begun)
        answers.append("cancel: \(try service.call(.delete, own, headers: try service.bearer()).status)")
        let address = try service.resumableAddress()
        answers.append("cancel: \(try service.call(.delete, address, headers: try service.bearer()).status)")
        return answers
    }

    @Test("Whatever writes does so on none of the HTTP server's threads")
    func threads() throws {
        var watched: RecordingStore?
        let service = try TestService { services in
            let store = RecordingStore(services.metadata)
            (watched, services.metadata) = (store, store)
        }
        let store = try #require(watched)
        let answers = try change(service)
        #expect(
            answers.allSatisfy { ["200", "201", "204", "400", "499"].contains(String($0.suffix(3))) }, "\(answers)")
        #expect(store.writers.count >= 12, "\(answers)")
        #expect(!store.writers.contains(pthread_self()))
    }

    @Test("An upload whose bytes are gone is forgotten on none of them either")
    func lostBytes() throws {
        var watched: RecordingStore?
        let service = try TestService { services in
            let store = RecordingStore(services.metadata)
            (watched, services.metadata) = (store, store)
        }
        let address = try service.resumableAddress(length: 20)
        _ = try service.put(address, Array(repeating: 1, count: 12), range: "bytes 0-11/20")
        try service.services.blobs.removeResumable(try #require(service.services.blobs.resumable().first))
        try service.put(address, Array(repeating: 1, count: 8), range: "bytes 12-19/20")
            .expectStorageRefusal(404, "notFound")
        #expect(try service.services.metadata.read { try $0.uploadSessions() }.isEmpty)
        #expect(try #require(watched).writers.contains(pthread_self()) == false)
    }

    @Test("While the writer is held, look-ups and health checks are answered and writes wait")
    func held() throws {
        let service = try TestService()
        try service.makeModel("flowers", FakeProbe.ok("1"), isPublished: true)
        let (isHeld, release) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        let metadata = service.services.metadata
        Thread.detachNewThread {
            try? metadata.write { _ in
                isHeld.signal()
                release.wait()
            }
        }
        isHeld.wait()
        let group = DispatchGroup()
        let waiting = try (0..<40).map { try start(service, "m\($0)", group) }
        #expect(try service.call(.get, "/healthz").status == 200)
        #expect(try service.call(.get, "/readyz").status == 200)
        #expect(try service.info("flowers").status == 200)
        #expect(try service.admin(.get, "models").status == 200)
        release.signal()
        group.wait()
        #expect(waiting.map { $0.take()?.status } == Array(repeating: 200, count: 40))
    }

    /// Starts the creation of a model as the HTTP engine does, and waits for nothing.
    private func start(_ service: TestService, _ name: String, _ group: DispatchGroup) throws -> Suspension {
        let suspension = Suspension(errors: HTTPFault.envelope) { group.leave() }
        let head = try RequestHead(
            method: .post, target: "/v1beta2/projects/project-a/models", headers: try service.bearer())
        guard case .buffered(_, let handle) = service.handler.plan(for: head),
            case .deferred(let start) = handle(head, Array(#"{"displayName":"\#(name)"}"#.utf8))
        else {
            Issue.record("the call does not wait")
            return suspension
        }
        group.enter()
        start(DeferredResponse(suspension))
        return suspension
    }
}
