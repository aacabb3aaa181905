import Foundation
import HearthCatalog
import HearthHTTP
import HearthManagement
import HearthRouting
import HearthTestSupport
import HearthValidation
import HearthWire
import HearthWork
import Synchronization
import Testing

@testable import HearthManagementTestSupport

@Suite("Tries over HTTP") struct TryRouteTests {
    private let service: TestService
    private let id: String

    /// Takes the image "image" with its length, and answers.
    private static let answering = #"""
        echo '{"isDetector":true}'
        head -c 9 >/dev/null
        echo '{"answers":[{"text":"rose","index":3,"confidence":0.75,"box":[1,2,30,40.5]}],"width":64,"height":48,"microseconds":1234,"peakMemoryBytes":5678}'
        """#

    init() throws {
        service = try TestService { services in
            var limits = TryLimits()
            (limits.imageBytes, limits.queue.runs, limits.arrivalSeconds) = (1000, 2, 60)
            services.tries = TryQueue(
                blobs: services.blobs, executable: TestPaths.fixtures.appendingPathComponent("Validation/probe").path,
                limits: limits, scheduler: ThreadScheduler(label: "tries"))
        }
        id = try service.makeModel("flowers", FakeProbe.ok("\n" + Self.answering))
    }

    private func head(
        version: String = "1", bytes: Int?, token: String? = nil, project: String = "project-a", model: String? = nil,
        query: String = ""
    ) throws -> RequestHead {
        let start = project == "project-a" ? service.a : service.b
        return try RequestHead(
            method: .post,
            target: "/hearth/v1/projects/\(project)/models/\(model ?? id)/versions/\(version):try\(query)",
            headers: ["Authorization": "Bearer \(try token ?? service.accessToken(start))"],
            contentLength: bytes.map { UInt64($0) }, remoteAddress: "127.0.0.1", id: "request-1")
    }

    private func attempt(
        _ image: [UInt8] = Array("image".utf8), version: String = "1", announces: Bool = true, token: String? = nil,
        query: String = ""
    ) throws -> TestResponse {
        try #require(
            InProcessCall.run(
                service.handler,
                head(version: version, bytes: announces ? image.count : nil, token: token, query: query),
                body: image, pieceBytes: 100))
    }

    /// A try whose image has not arrived, and has its place.
    private func arriving(project: String = "project-a", model: String? = nil) throws -> any BodyReceiver {
        switch service.handler.plan(for: try head(bytes: 5, project: project, model: model)) {
        case .streaming(let receiver): return receiver
        case .answer(let response):
            Issue.record("\(TestResponse(response, bodyBytesRead: 0).text)")
        case .buffered: Issue.record("A try would wait for its image without a place.")
        }
        throw NoPlace()
    }

    private struct NoPlace: Error {}

    private func newVersion(_ commands: String) throws -> String {
        let made = try service.makeVersion(id, FakeProbe.ok("\n" + commands))
        return String(try #require(made["version"] as? Int, "\(made.text)"))
    }

    @Test("A viewer gets the answers to an image, and nothing is stored")
    func answers() throws {
        let before = try service.audit().count
        let answer = try attempt(token: service.adminToken(.viewer))
        #expect(answer.status == 200, "\(answer.text)")
        #expect(
            answer.text == #"""
                {"answers":[{"box":[1,2,30,40.5],"confidence":0.75,"index":3,"label":"rose"}],"height":48,"peakMemoryBytes":5678,"runMicroseconds":1234,"version":1,"width":64}
                """#)
        #expect(try service.audit().count == before)
        #expect(service.services.tries.takenPlaces == 0)
    }

    @Test("An alias names the version")
    func alias() throws {
        #expect(try service.hearthAdmin(.put, "models/\(id)/aliases/champion", #"{"version":1}"#).status == 200)
        #expect(try attempt(version: "champion")["version"] as? Int == 1)
        #expect(try attempt(announces: false).status == 200, "also without an announced length")
    }

    @Test("A threshold reaches the probe, and then there may be 100 answers")
    func threshold() throws {
        func version(answers: Int) throws -> String {
            try newVersion(
                #"""
                echo '{"isDetector":false}'
                head -c 9 >/dev/null
                printf '{"answers":['
                for i in $(seq \#(answers - 1)); do printf '{"text":"x","index":1,"confidence":0.5},'; done
                echo '{"text":"'"$*"'","index":1,"confidence":0.5}],"width":4,"height":4,"microseconds":1}'
                """#)
        }
        let full = try version(answers: 100)
        let answer = try attempt(version: full, query: "?threshold=0.05")
        let answers = answer["answers"] as? [[String: Any]]
        #expect(answers?.count == 100, "\(answer.text)")
        #expect(answers?.last?["label"] as? String == "probe --images --threshold 0.05 --details")
        try attempt(version: full).expectRefusal(400, "FAILED_PRECONDITION")
        try attempt(version: version(answers: 101), query: "?threshold=0").expectRefusal(400, "FAILED_PRECONDITION")
        let usual = try attempt(version: version(answers: 1))
        #expect((usual["answers"] as? [[String: Any]])?.last?["label"] as? String == "probe --images --details")
    }

    @Test("What is no threshold is refused before the image is read", arguments: ["", "-0.1", "1.01", "nan", "high"])
    func badThresholds(text: String) throws {
        let refused = try attempt(query: "?threshold=\(text)")
        refused.expectRefusal(400, "INVALID_ARGUMENT")
        #expect(refused.bodyBytesRead == 0 && service.services.tries.takenPlaces == 0)
    }

    /// Answers with the probe's arguments as a label, and says how images go in.
    private func echoing() throws -> String {
        try newVersion(
            #"""
            echo '{"isDetector":true,"vision":{"task":"boxes","processing":{"layout":"yolov8"},"images":"RGB, 4 x 4","answers":["YOLOv8"]}}'
            head -c 9 >/dev/null
            words=$(printf '%s|' "$@" | sed 's/"/\\"/g')
            echo '{"answers":[{"text":"'"$words"'","index":1,"confidence":0.5}],"width":4,"height":4,"microseconds":1,"outputs":[{"name":"a","answers":[]},{"name":"b","answers":[{"text":"x","index":0,"confidence":1}]}]}'
            """#)
    }

    private func query(_ processing: String) throws -> String {
        "?processing=" + (try #require(processing.addingPercentEncoding(withAllowedCharacters: .alphanumerics)))
    }

    @Test("A processing reaches the probe, written anew, for viewers too; the answer says how the image went in")
    func processing() throws {
        let version = try echoing()
        let before = try service.audit().count
        let text = #" { "standardDeviation":[255], "mean":[0.0],"layout":"yolov8","scoreThreshold":0.25}"#
        let answer = try attempt(version: version, token: service.adminToken(.viewer), query: query(text))
        let answers = answer["answers"] as? [[String: Any]]
        #expect(
            answers?.first?["label"] as? String
                == #"probe|--images|--processing|{"layout":"yolov8","mean":[0],"scoreThreshold":0.25,"standardDeviation":[255]}|--details|"#,
            "\(answer.text)")
        #expect(answer.string("vision.images") == "RGB, 4 x 4" && answer.string("vision.task") == "boxes")
        #expect((answer["outputs"] as? [[String: Any]])?.map { $0["name"] as? String } == ["a", "b"])
        #expect(try service.audit().count == before)
        let shown = try service.hearthAdmin(.get, "models/\(id)/versions/\(version)")
        #expect(shown.string("contract.vision.task") == nil, "nothing is stored: \(shown.text)")
        let usual = try attempt(version: version, query: query("{}"))
        #expect(
            (usual["answers"] as? [[String: Any]])?.first?["label"] as? String == "probe|--images|--details|",
            "\(usual.text)")
    }

    @Test(
        "A processing that no model can use is refused before the image is read, with its member and the reason",
        arguments: [
            (#"{"channels":"cmyk"}"#, "processing.channels", "rgb, bgr, gray, rgba"),
            (#"{"channels":3}"#, "processing.channels", "a text"),
            (#"{"mean":127.5}"#, "processing.mean", "a list"),
            (#"{"mean":["x"]}"#, "processing.mean", "a number"),
            (#"{"mean":[1,2]}"#, "processing.mean", "one for each channel"),
            (#"{"mean":[1,2,3],"standardDeviation":[1,2,3],"channels":"gray"}"#, "processing.mean", "each channel"),
            (#"{"mean":[1e39],"standardDeviation":[1]}"#, "processing.mean", "finite"),
            (#"{"mean":[1e999]}"#, "processing", "finite numbers"),
            (#"{"mean":[NaN]}"#, "processing", "not JSON"),
            (#"{"mean":[Infinity]}"#, "processing", "not JSON"),
            (#"{"standardDeviation":[0]}"#, "processing.standardDeviation", "none 0"),
            (#"{"standardDeviation":[1e-60]}"#, "processing.standardDeviation", "none 0"),
            (#"{"resize":"squeeze"}"#, "processing.resize", "stretch, letterbox, letterbox-top-left, crop"),
            (#"{"activation":"relu"}"#, "processing.activation", "none, softmax, sigmoid"),
            (#"{"layout":"YOLO"}"#, "processing.layout", "yolov8"),
            (#"{"scoreThreshold":1.5}"#, "processing.scoreThreshold", "0 to 1"),
            (#"{"overlapThreshold":-0.1}"#, "processing.overlapThreshold", "0 to 1"),
            (#"{"overlap":0.5}"#, "processing.overlap", "There is no 'overlap' here"),
            (#"{"layout":"ssd"} --try-escape"#, "processing", "follows the end"),
            ("[]", "processing", "object"), ("3", "processing", "object"), ("", "processing", "not JSON"),
            ("--threshold", "processing", "not JSON"), (#"{"layout":"$(id)"}"#, "processing.layout", "one of"),
        ])
    func badProcessing(text: String, field: String, reason: String) throws {
        let refused = try attempt(query: query(text))
        refused.expectRefusal(400, "INVALID_ARGUMENT")
        #expect(refused.text.contains("\"\(field)"), "\(refused.text)")
        #expect(refused.string("error.message")?.contains(reason) == true, "\(refused.text)")
        #expect(refused.bodyBytesRead == 0 && service.services.tries.takenPlaces == 0)
    }

    @Test("A processing has at most 2048 bytes; a megabyte and brackets only are refused as well")
    func longProcessing() throws {
        let version = try echoing()
        let full = #"{"layout":"ssd"}"# + String(repeating: " ", count: 2032)
        #expect(try attempt(version: version, query: query(full)).status == 200)
        for text in [full + " ", String(repeating: " ", count: 1 << 20), String(repeating: "[", count: 1 << 20)] {
            let refused = try attempt(query: query(text))
            refused.expectRefusal(400, "INVALID_ARGUMENT")
            #expect(refused.string("error.message")?.contains("2048 bytes") == true, "\(refused.text)")
        }
        try attempt(query: query(String(repeating: "[", count: 2000))).expectRefusal(400, "INVALID_ARGUMENT")
    }

    @Test(
        "What a probe says of images is believed only if a sound one may say it",
        arguments: [
            #"{"task":"dance","processing":{},"images":"x","answers":["y"]}"#,
            #"{"task":"boxes","processing":{"layout":"<b>"},"images":"x","answers":["y"]}"#,
            #"{"task":"boxes","processing":{"mean":[1,2,3,4,5],"standardDeviation":[1]},"images":"x","answers":["y"]}"#,
            #"{"task":"boxes","images":"x","answers":["y"]}"#, #"{"task":"labels","processing":{},"answers":[]}"#, "{}",
        ])
    func hostileVision(vision: String) throws {
        let version = try newVersion(
            Self.answering.replacing(#"{"isDetector":true}"#, with: #"{"isDetector":true,"vision":\#(vision)}"#))
        let answer = try attempt(version: version)
        #expect(answer.status == 200 && answer["vision"] == nil, "\(answer.text)")
    }

    @Test(
        "What fails in the sandbox is said, and gives the place back",
        arguments: [
            (
                #"echo '{"isDetector":false}'; head -c 9 >&2; echo '{"failure":"no image","isUnreadable":true}'"#,
                "INVALID_ARGUMENT",
                "cannot be read: no image"
            ),
            (
                #"echo '{"isDetector":false}'; head -c 9 >&2; echo '{"failure":"no memory"}'"#, "FAILED_PRECONDITION",
                "no memory"
            ),
            (#"echo '{"failure":"takes no images"}'"#, "FAILED_PRECONDITION", "takes no images"),
            (#"echo '{"isDetector":false}'; kill -SEGV $$"#, "FAILED_PRECONDITION", "crashed the engine (signal 11"),
            ("kill -KILL $$", "FAILED_PRECONDITION", "could not be loaded"),
            ("echo nonsense", "FAILED_PRECONDITION", "no readable report"),
            (
                #"echo '{"isDetector":false}'; head -c 9 >&2; yes | tr -d '\n' | head -c 200000"#,
                "FAILED_PRECONDITION", "more than"
            ),
        ])
    func failures(commands: String, status: String, text: String) throws {
        let answer = try attempt(version: newVersion(commands))
        answer.expectRefusal(400, status)
        #expect(answer.string("error.message")?.contains(text) == true, "\(answer.text)")
        #expect(service.services.tries.takenPlaces == 0)
    }

    @Test("What needs no image is refused before one is read")
    func refusals() throws {
        try attempt([]).expectRefusal(400, "INVALID_ARGUMENT")
        try attempt([], announces: false).expectRefusal(400, "INVALID_ARGUMENT")
        for (version, status, kind) in [
            ("7", 404, "NOT_FOUND"), ("best", 404, "NOT_FOUND"), ("Best", 400, "INVALID_ARGUMENT"),
        ] {
            let refused = try attempt(version: version)
            refused.expectRefusal(status, kind)
            #expect(refused.bodyBytesRead == 0)
        }
        _ = try service.upload(FakeProbe.malformed(), name: "version")
        _ = try service.hearthAdmin(.post, "models/\(id)/versions", #"{"source":"\#(service.uri("version"))"}"#)
        try attempt(version: "2").expectRefusal(400, "FAILED_PRECONDITION")
        #expect(service.services.tries.takenPlaces == 0)
    }

    @Test("An image above the limit is refused, announced or not, and one at the limit is not")
    func largeImages() throws {
        let limit = 1000
        let exact = try newVersion(
            Self.answering.replacing("head -c 9", with: "head -c \(limit + 4)"))
        #expect(try attempt(Array(repeating: 1, count: limit), version: exact).status == 200)
        for announces in [true, false] {
            let refused = try attempt(Array(repeating: 1, count: limit + 1), announces: announces)
            refused.expectRefusal(413, "INVALID_ARGUMENT")
        }
        #expect(service.services.tries.takenPlaces == 0)
    }

    @Test("A project that has its places is refused at once, and another one is not")
    func places() throws {
        let model = try service.makeModel("other", FakeProbe.ok("\n" + Self.answering), as: service.b)
        var arriving = try (0..<4).map { _ in try self.arriving() }
        let refused = try attempt()
        refused.expectRefusal(429, "RESOURCE_EXHAUSTED")
        #expect(refused.headers["Retry-After"] == "2" && refused.bodyBytesRead == 0)
        let other = try self.arriving(project: "project-b", model: model)
        arriving.removeLast().abandon()
        #expect(try attempt().status == 200)
        other.abandon()
        for one in arriving { one.abandon() }
        #expect(service.services.tries.takenPlaces == 0)
    }

    @Test("Many callers at the same time get answers or are refused, and all places are free afterwards")
    func manyCallers() {
        let statuses = Mutex<[Int: Int]>([:])
        DispatchQueue.concurrentPerform(iterations: 12) { _ in
            let status = (try? attempt())?.status ?? 0
            statuses.withLock { $0[status, default: 0] += 1 }
        }
        let found = statuses.withLock { $0 }
        #expect(Set(found.keys).isSubset(of: [200, 429]) && found[200, default: 0] >= 4, "\(found)")
        #expect(service.services.tries.takenPlaces == 0)
    }

    @Test("A client that goes away in the middle of its image gives its place back")
    func brokenOff() throws {
        let answer = InProcessCall.run(
            service.handler, try head(bytes: 500), body: Array(repeating: 1, count: 200), pieceBytes: 100,
            breaksOff: true)
        #expect(answer == nil)
        #expect(service.services.tries.takenPlaces == 0)
        _ = try arriving()
        #expect(service.services.tries.takenPlaces == 0, "a connection that is never ended")
    }

    @Test("An image that arrives too slowly is refused")
    func slowImages() throws {
        let receiver = try arriving()
        func receive() throws(RequestRefusal) {
            let result: Result<Void, RequestRefusal> = [UInt8(1)].withUnsafeBytes { bytes in
                Result { () throws(RequestRefusal) in try receiver.receive(bytes) }
            }
            try result.get()
        }
        service.time.advance(seconds: 59)
        try receive()
        service.time.advance(seconds: 1)
        let refusal = #expect(throws: RequestRefusal.self) { try receive() }
        #expect(refusal?.response.status == 408)
        receiver.abandon()
        #expect(service.services.tries.takenPlaces == 0)
    }

    @Test("A server that is stopping says so")
    func stopping() throws {
        service.services.tries.stop {}
        try attempt().expectRefusal(503, "UNAVAILABLE")
    }

    @Test("A server without a program for it tells the log, and the caller nothing of the machine")
    func noProgram() throws {
        let service = try TestService()
        let id = try service.makeModel("flowers", FakeProbe.ok("1"))
        let answer = try service.call(
            .post, "/hearth/v1/projects/project-a/models/\(id)/versions/1:try",
            headers: ["Authorization": "Bearer \(try service.accessToken(service.a))"], body: [1])
        answer.expectRefusal(500, "INTERNAL")
        #expect(service.log.lines.contains { $0.contains("runs no models") })
    }
}
