import Foundation
import HearthCatalog
import HearthCrypto
import HearthStorage
import HearthTestSupport
import HearthValidation
import HearthWire
import HearthWork
import Testing

@testable import HearthDevicePlane
@testable import HearthHTTP
@testable import HearthManagement
@testable import HearthManagementTestSupport
@testable import HearthRouting
@testable import HearthServing

@Suite("Packing of uploads over HTTP") struct PackRouteTests {
    private static let packed = FakeProbe.ok("packed")
    /// A "zip" that prints the packed file.
    private static let zip = archive(#"printf '{"sizeBytes":\#(packed.utf8.count)}\n'; echo 'ok packed'"#)

    /// A "zip" that says what the process that packs it does.
    private static func archive(_ commands: String) -> String { FakeProbe.archive("2>/dev/null; " + commands) }

    private func service(
        scheduler: any WorkScheduler = ThreadScheduler(label: "packing"),
        _ configure: @escaping (inout TestServices) -> Void = { _ in }
    ) throws -> TestService {
        try TestService { services in
            services.packing = PackQueue(
                blobs: services.blobs, executable: TestPaths.fixtures.appendingPathComponent("Validation/probe").path,
                scheduler: scheduler)
            configure(&services)
        }
    }

    private func head(_ service: TestService, token: String? = nil, project: String = "project-a") throws -> RequestHead
    {
        let start = project == "project-a" ? service.a : service.b
        return try RequestHead(
            method: .post, target: "/hearth/v1/projects/\(project)/uploads:pack",
            headers: [
                "Authorization": "Bearer \(try token ?? service.accessToken(start))",
                "Content-Type": "application/json",
            ], remoteAddress: "127.0.0.1", id: "request-1")
    }

    private func pack(
        _ service: TestService, _ source: String, token: String? = nil, project: String = "project-a"
    ) throws -> TestResponse {
        try #require(
            InProcessCall.run(
                service.handler, head(service, token: token, project: project),
                body: Array(#"{"source":"\#(source)"}"#.utf8), pieceBytes: 100))
    }

    @Test("The packed file is an upload with its own name, and the zip can be packed again")
    func success() throws {
        let service = try service()
        let uploaded = try service.upload(Self.zip, name: "flowers.ZIP")
        #expect(uploaded.string("validationError.message") == "It is a zip.")
        let hash = SHA256Hasher.hash(Self.packed.utf8)
        let uri = "gs://project-a.hearth/Firebase/ML/Models/\(hash)/flowers.tflite"
        for _ in 1...2 {
            let answer = try pack(service, service.uri("flowers.ZIP"), token: service.adminToken(.publisher))
            #expect(answer.status == 200, "\(answer.text)")
            #expect(Set(answer.object.keys) == ["gcsTfliteUri", "sizeBytes", "sha256"])
            #expect(answer.string("gcsTfliteUri") == uri && answer.string("sha256") == hash.hex)
            #expect(answer.string("sizeBytes") == "\(Self.packed.utf8.count)")
        }
        #expect(service.services.packing.takenPlaces == 0)
        let line = try #require(try service.auditLines().last { $0.contains("file.upload") })
        #expect(line.contains("token:") && line.contains("flowers.tflite"), "\(line)")
        let made = try service.admin(
            .post, "models", #"{"displayName":"flowers","tfliteModel":{"gcsTfliteUri":"\#(uri)"}}"#)
        #expect(made.string("response.name") != nil, "\(made.text)")
    }

    @Test("A file that is no zip is answered as it is")
    func plainModel() throws {
        let service = try service()
        let uploaded = try service.upload(
            FakeProbe.ok("2>/dev/null; echo '{\"isModel\":true}'"), name: "flowers.tflite")
        let answer = try pack(service, service.uri("flowers.tflite"))
        #expect(answer.status == 200 && answer.text == uploaded.text, "\(answer.text)")
    }

    @Test("The packed file is validated, and its flaws are in the answer")
    func flaws() throws {
        let service = try service()
        let contents = FakeProbe.malformed("packed")
        _ = try service.upload(
            Self.archive("printf '{\"sizeBytes\":\(contents.utf8.count)}\\n'; echo 'malformed packed'"), name: "a.zip")
        let answer = try pack(service, service.uri("a.zip"))
        #expect(answer.status == 200)
        #expect(answer.string("validationError.message") == "The file ends too early.", "\(answer.text)")
    }

    @Test(
        "What is wrong with the zip is said, and nothing of it stays",
        arguments: [
            (#"echo '{"failure":"the zip has no manifest.json and no .tflite model"}'"#, "no .tflite model"),
            (#"echo '{"sizeBytes":2000000000}'"#, "at most"),
            (#"printf '{"sizeBytes":30}\n'; echo short"#, "no readable result"),
            ("kill -SEGV $$", "crashed"),
        ])
    func failures(commands: String, text: String) throws {
        let service = try service()
        _ = try service.upload(Self.archive(commands), name: "a.zip")
        let before = try service.services.blobs.digests().count
        let answer = try pack(service, service.uri("a.zip"))
        answer.expectRefusal(400, "INVALID_ARGUMENT")
        #expect(answer.string("error.message")?.contains(text) == true, "\(answer.text)")
        #expect(try service.services.blobs.digests().count == before)
        #expect(service.services.packing.takenPlaces == 0)
    }

    @Test("A packed file that is larger than an upload may be is refused")
    func largeFile() throws {
        let service = try service { $0.limits.uploadBytes = 1000 }
        _ = try service.upload(
            Self.archive(#"printf '{"sizeBytes":1001}\n'; head -c 1001 /dev/zero"#), name: "a.zip")
        #expect(try pack(service, service.uri("a.zip")).status == 413)
        let exact = try self.service { $0.limits.uploadBytes = 1000 }
        _ = try exact.upload(Self.archive(#"printf '{"sizeBytes":1000}\n'; head -c 1000 /dev/zero"#), name: "a.zip")
        #expect(try pack(exact, exact.uri("a.zip")).status == 200)
    }

    @Test("Only uploads of the project can be packed, and only by publishers")
    func refusals() throws {
        let service = try service()
        _ = try service.upload(Self.zip, name: "a.zip")
        try pack(service, service.uri("a.zip"), project: "project-b").expectRefusal(400, "INVALID_ARGUMENT")
        try pack(service, "gs://project-a.hearth/none.zip").expectRefusal(400, "INVALID_ARGUMENT")
        try pack(service, "/etc/passwd").expectRefusal(400, "INVALID_ARGUMENT")
        try pack(service, service.uri("a.zip"), token: service.adminToken(.viewer)).expectRefusal(
            403, "PERMISSION_DENIED")
        #expect(service.services.packing.takenPlaces == 0)
    }

    @Test("A project that has its places is refused at once, and another one is not; a stop answers who waits")
    func places() throws {
        let waiting = TurnScheduler()
        let service = try service(scheduler: waiting)
        _ = try service.upload(Self.zip, name: "a.zip")
        _ = try service.upload(Self.zip, name: "a.zip", as: service.b)
        let answered = LogRecorder()
        var suspensions: [Suspension] = []
        func begin(_ project: String) throws {
            let uri = service.uri("a.zip", of: project == "project-a" ? service.a : service.b)
            guard case .buffered(_, let run) = service.handler.plan(for: try head(service, project: project)),
                case .deferred(let start) = run(
                    try head(service, project: project), Array(#"{"source":"\#(uri)"}"#.utf8))
            else { throw Unexpected() }
            let suspension = Suspension(errors: HTTPFault.envelope, resume: { answered.add("answered") })
            suspensions.append(suspension)
            start(DeferredResponse(suspension))
        }
        for _ in 1...3 { try begin("project-a") }
        let refused = try pack(service, service.uri("a.zip"))
        refused.expectRefusal(429, "RESOURCE_EXHAUSTED")
        #expect(refused.headers["Retry-After"] == "5")
        try begin("project-b")
        #expect(waiting.count == 1 && service.services.packing.takenPlaces == 4, "one runs, and no thread waits")
        service.services.packing.stop {}
        #expect(answered.lines.count == 4, "also the one whose turn it is")
        waiting.passTime()
        #expect(answered.lines.count == 4 && service.services.packing.takenPlaces == 0)
        #expect(suspensions.map { $0.take()?.status } == [503, 503, 503, 503])
    }

    private struct Unexpected: Error {}

    @Test("A server without a program for it tells the log")
    func noProgram() throws {
        let service = try TestService()
        _ = try service.upload(Self.zip, name: "a.zip")
        try pack(service, service.uri("a.zip")).expectRefusal(500, "INTERNAL")
        #expect(service.log.lines.contains { $0.contains("packs no files") })
    }

    @Test("The name of the packed file")
    func names() {
        for (name, packed) in [
            ("Firebase/ML/Models/ab/flowers.zip", "flowers.tflite"), ("a/b.tar", "b.tar.tflite"),
            (".zip", "model.tflite"),
            ("", "model.tflite"), (String(repeating: "ü", count: 200), String(repeating: "ü", count: 95) + ".tflite"),
        ] {
            #expect(PackRoutes.packedName(of: name) == packed)
        }
    }
}
