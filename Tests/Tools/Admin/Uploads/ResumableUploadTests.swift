import Foundation
import HearthAdminTestSupport
import HearthCalls
import HearthCrypto
import HearthTestSupport
import HearthTransport
import HearthWire
import Synchronization
import Testing

@testable import HearthAdmin

@Suite struct ResumableUploadTests {
    private let folder: TemporaryFolder
    private let file: String
    private let bytes: [UInt8]

    private static let partBytes = 4096

    init() throws {
        folder = try TemporaryFolder()
        // Two whole pieces and a bit.
        var generator = SeededGenerator(seed: 1)
        bytes = (0..<(2 * Self.partBytes + 3)).map { _ in UInt8.random(in: 0...255, using: &generator) }
        file = try folder.write(bytes, to: "model.tflite")
    }

    private func uploader(_ host: StubUploadServer, resumes: Bool = false) -> (FileUploader, StubServer, RecordedDelays)
    {
        let server = host.server
        let (client, pauses) = server.client()
        var uploader = FileUploader(client: client, recordFolder: folder.path + "/cache", resumes: resumes)
        uploader.partBytes = Self.partBytes
        return (uploader, server, pauses)
    }

    private var remembered: Int {
        (try? FileManager.default.contentsOfDirectory(atPath: folder.path + "/cache"))?.count ?? 0
    }

    @Test func aLargeFileGoesInPieces() throws {
        let host = StubUploadServer()
        let seen = Mutex<[UInt64]>([])
        var (uploader, server, _) = uploader(host)
        uploader.progress = { done, _ in seen.withLock { $0.append(done) } }
        #expect(try uploader.upload(file, name: "a b.tflite").sha256 == SHA256Hasher.hash(bytes).hex)
        #expect(host.held == bytes)
        let total = bytes.count
        #expect(
            server.calls.map { $0.headers["content-range"] } == [
                nil, "bytes 0-4095/\(total)", "bytes 4096-8191/\(total)", "bytes 8192-8194/\(total)",
            ])
        #expect(server.texts[0] == "POST /hearth/v1/projects/p-stand-in/uploads?name=a%20b.tflite&resumable=true")
        #expect(server.calls.allSatisfy { $0.headers["authorization"] == "Bearer secret-token" })
        let progress = seen.withLock { $0 }
        #expect(progress == progress.sorted() && progress.last == UInt64(total))
        #expect(remembered == 0)
    }

    @Test func aSmallFileGoesWhole() throws {
        let small = try folder.write([1, 2, 3], to: "small.tflite")
        let server = StubServer { call in
            StubServer.json(
                UploadResource(
                    gcsTfliteUri: "gs://b/o", sizeBytes: "3", sha256: SHA256Hasher.hash(call.body).hex,
                    validationError: nil, warning: nil))
        }
        #expect(try FileUploader(client: server.client().client).upload(small, name: "s").sizeBytes == "3")
        #expect(server.texts == ["POST /hearth/v1/projects/p-stand-in/uploads?name=s"])
    }

    @Test(arguments: [
        [StubUploadServer.Fault.lost], [.cut(1000)], [.unanswered], [.status(503, [])],
        [.status(500, []), .lost, .cut(1)],
    ])
    func itGoesOnAfterAccidents(accidents: [StubUploadServer.Fault]) throws {
        for piece in 0...2 {
            let host = StubUploadServer(accidents, from: piece)
            let (uploader, _, pauses) = uploader(host)
            #expect(try uploader.upload(file, name: "m").sizeBytes == "\(bytes.count)")
            #expect(host.held == bytes && host.sessions == 1)
            #expect(pauses.seconds.count == accidents.count && pauses.seconds.first == 1)
        }
    }

    @Test func whyTheServerTakesNoPartIsSaidAtOnceAndOnce() throws {
        let host = StubUploadServer([.status(503, []), .status(503, []), .status(502, []), .lost], from: 1)
        let notices = Mutex<[Int?]>([])
        let client = host.server.client(onNotice: { notice in
            if case .uploadRetried(let error) = notice { notices.withLock { $0.append(error.status) } }
        }).client
        var uploader = FileUploader(client: client, recordFolder: folder.path + "/cache")
        uploader.partBytes = Self.partBytes
        #expect(try uploader.upload(file, name: "m").sizeBytes == "\(bytes.count)")
        #expect(notices.withLock { $0 } == [503, 502])
    }

    @Test func itWaitsAsLongAsTheServerAsksFor() throws {
        let host = StubUploadServer([.status(429, [("Retry-After", "9")])], from: 1)
        let (uploader, _, pauses) = uploader(host)
        _ = try uploader.upload(file, name: "m")
        #expect(pauses.seconds == [9])
    }

    @Test func aForgottenSessionIsBegunAnewOnce() throws {
        let host = StubUploadServer([.forgotten], from: 1)
        #expect(throws: Never.self) { try uploader(host).0.upload(file, name: "m") }
        #expect(host.held == bytes)

        let hopeless = StubUploadServer([.forgotten, .forgotten], from: 1)
        #expect(throws: AdminError.self) { try uploader(hopeless).0.upload(file, name: "m") }
        #expect(remembered == 0)
    }

    @Test func anotherRunGoesOn() throws {
        let host = StubUploadServer(Array(repeating: .lost, count: ResumableUpload.failureLimit), from: 1)
        let (first, _, pauses) = uploader(host)
        let error = #expect(throws: AdminError.self) { try first.upload(file, name: "m") }
        #expect(error?.code == .incompleteUpload)
        #expect(error?.incompleteUpload == .init(receivedBytes: 4096, totalBytes: UInt64(bytes.count)))
        #expect((error?.underlyingError as? AdminError)?.transportError?.code == .interrupted)
        #expect(pauses.seconds.count == ResumableUpload.failureLimit - 1 && remembered == 1)

        let (second, server, _) = uploader(host, resumes: true)
        _ = try second.upload(file, name: "m")
        #expect(host.held == bytes && host.sessions == 1)
        #expect(server.calls[0].headers["content-range"] == "bytes */\(bytes.count)")
        #expect(server.calls.map(\.body.count) == [0, 4096, 3])
        #expect(remembered == 0)
    }

    @Test func whatArrivedIsNotSentAgain() throws {
        let host = StubUploadServer([.unanswered], from: 2)
        let (uploader, server, _) = uploader(host)
        _ = try uploader.upload(file, name: "m")
        #expect(host.held == bytes)
        #expect(server.calls.map(\.body.count) == [0, 4096, 4096, 3, 0])
    }

    @Test func anotherFileIsNotMixedIn() throws {
        let host = StubUploadServer(Array(repeating: .lost, count: ResumableUpload.failureLimit), from: 1)
        #expect(throws: AdminError.self) { try uploader(host).0.upload(file, name: "m") }
        var changed = bytes
        changed[0] ^= 1
        _ = try folder.write(changed, to: "model.tflite")
        _ = try uploader(host, resumes: true).0.upload(file, name: "m")
        #expect(host.held == changed && host.sessions == 2)
    }

    @Test func refusalsEndIt() throws {
        for status in [400, 403, 413] {
            let host = StubUploadServer([.status(status, [])], from: 1)
            let (uploader, _, pauses) = uploader(host)
            #expect(throws: (any Error).self) { try uploader.upload(file, name: "m") }
            #expect(pauses.seconds.isEmpty)
        }
    }

    @Test func aServerWithoutRoomEndsItUntilThereIsSome() throws {
        let host = StubUploadServer([.status(507, [])], from: 1)
        let (first, server, pauses) = uploader(host)
        #expect(throws: AdminError.self) { try first.upload(file, name: "m") }
        #expect(pauses.seconds.isEmpty && remembered == 1)
        #expect(server.calls[0].headers["x-upload-content-length"] == "\(bytes.count)")
        _ = try uploader(host, resumes: true).0.upload(file, name: "m")
        #expect(host.held == bytes && host.sessions == 1)
    }

    @Test func aServerThatTakesNothingEndsIt() {
        let total = bytes.count
        let server = StubServer { call in
            call.method == "POST"
                ? StubServer.empty(201, [("Location", "/s")])
                : StubServer.empty(308, [("Range", "bytes=0-\(total - 1)")])
        }
        let (client, pauses) = server.client()
        var uploader = FileUploader(client: client, recordFolder: nil)
        uploader.partBytes = Self.partBytes
        #expect(throws: (any Error).self) { try uploader.upload(file, name: "m") }
        #expect(pauses.seconds.count == ResumableUpload.failureLimit - 1)
    }

    @Test func bytesThatArriveOtherwiseAreNoticed() {
        let server = StubServer { call in
            call.method == "POST"
                ? StubServer.empty(201, [("Location", "/s")])
                : StubServer.json(
                    UploadResource(
                        gcsTfliteUri: "gs://b/o", sizeBytes: "1", sha256: "0", validationError: nil, warning: nil))
        }
        var uploader = FileUploader(client: server.client().client, recordFolder: nil)
        uploader.partBytes = Self.partBytes
        let error = #expect(throws: AdminError.self) { try uploader.upload(file, name: "m") }
        #expect(error?.code == .invalidFile && error?.message.contains("changed while it was sent") == true)
    }

    @Test func oldRecordsGo() throws {
        let memory = UploadRecords(folder: folder.path + "/cache")
        try memory.save(.init(path: "/old"), "old")
        try memory.save(.init(path: "/new"), "new")
        try FileManager.default.setAttributes(
            [.modificationDate: Date(timeIntervalSinceNow: -31 * 86_400)], ofItemAtPath: memory.folder + "/old.json")
        try memory.save(.init(path: "/newest"), "newest")
        #expect(memory.record("old") == nil && memory.record("new") != nil && memory.record("newest") != nil)
    }

    @Test func theRecordIsItsUsersOnly() throws {
        let memory = UploadRecords(folder: folder.path + "/deep/cache")
        try memory.save(.init(path: "/s"), "key")
        let attributes = try FileManager.default.attributesOfItem(atPath: memory.folder + "/key.json")
        #expect(attributes[.posixPermissions] as? Int == 0o600)
        #expect(memory.record("key")?.path == "/s")
        _ = try folder.write([0, 1], to: "deep/cache/key.json")
        #expect(memory.record("key") == nil)
        memory.remove("key")
        #expect(UploadRecords.standardFolder(["XDG_CACHE_HOME": "/c"]) == "/c/hearth/uploads")
        #expect(
            UploadRecords.standardFolder(["HOME": "/h", "XDG_CACHE_HOME": "relative"]) == "/h/.cache/hearth/uploads")
        #expect(UploadRecords.standardFolder([:]) == nil)
    }
}

/// Takes resumable uploads as the server's route does, and has accidents.
final class StubUploadServer: Sendable {
    enum Fault {
        /// The piece does not arrive, and the connection breaks.
        case lost
        /// So many bytes of the piece arrive, and the connection breaks.
        case cut(Int)
        /// The piece arrives, its answer does not.
        case unanswered
        case status(Int, [(String, String)])
        /// The session is forgotten.
        case forgotten
    }

    private struct State {
        var held: [UInt8] = []
        var session = 0
        var accidents: [Fault]
        var pieces = 0
    }

    private let state: Mutex<State>
    /// Of the piece with this number, 0 for the first, and those after it.
    private let firstAccident: Int

    init(_ accidents: [Fault] = [], from firstAccident: Int = 0) {
        state = Mutex(State(accidents: accidents))
        self.firstAccident = firstAccident
    }

    var sessions: Int { state.withLock { $0.session } }
    var held: [UInt8] { state.withLock { $0.held } }

    var server: StubServer {
        StubServer { [self] call throws(TransportError) in
            let result = state.withLock { state in Self.answer(call, &state, firstAccident) }
            return try result.get()
        }
    }

    private static let broken = Result<TransportResponse, TransportError>.failure(
        TransportError(.interrupted, "the connection to stand.in broke"))

    private static func answer(
        _ call: StubServer.Call, _ state: inout State, _ firstAccident: Int
    ) -> Result<TransportResponse, TransportError> {
        if call.method == "POST" {
            state.session += 1
            state.held = []
            return .success(
                StubServer.empty(201, [("Location", "http://elsewhere/hearth/v1/sessions/\(state.session)?id=x")]))
        }
        guard call.url == "http://stand.in/hearth/v1/sessions/\(state.session)?id=x" else {
            return .success(StubServer.refusal(404, "no such session"))
        }
        let range = call.headers["content-range"] ?? ""
        guard !range.hasPrefix("bytes */") else { return .success(held(state, range)) }
        defer { state.pieces += 1 }
        if state.pieces >= firstAccident, !state.accidents.isEmpty {
            switch state.accidents.removeFirst() {
            case .lost: return broken
            case .cut(let count):
                state.held += call.body.prefix(count)
                return broken
            case .unanswered:
                state.held += call.body
                return broken
            case .status(let status, let headers): return .success(StubServer.refusal(status, headers: headers))
            case .forgotten:
                state.session += 100
                return .success(StubServer.refusal(410, "gone"))
            }
        }
        guard range.hasPrefix("bytes \(state.held.count)-") else { return .success(StubServer.refusal(400)) }
        state.held += call.body
        return .success(held(state, range))
    }

    private static func held(_ state: State, _ range: String) -> TransportResponse {
        guard range.hasSuffix("/\(state.held.count)") else {
            return StubServer.empty(
                308, state.held.isEmpty ? [] : [("Range", "bytes=0-\(state.held.count - 1)")])
        }
        return StubServer.json(
            UploadResource(
                gcsTfliteUri: "gs://b/o", sizeBytes: "\(state.held.count)",
                sha256: SHA256Hasher.hash(state.held).hex, validationError: nil, warning: nil))
    }
}
