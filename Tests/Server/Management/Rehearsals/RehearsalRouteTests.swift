import HearthCalls
import HearthCatalog
import HearthCrypto
import HearthHTTP
import HearthManagement
import HearthRouting
import HearthStorage
import HearthValidation
import HearthWire
import Testing

@testable import HearthManagementTestSupport

@Suite("Rehearsals over HTTP") struct RehearsalRouteTests {
    private let service: TestService
    private let id: String
    /// Runs the rehearsals, which fail at once.
    private let turns = TurnScheduler()

    init() throws {
        service = try TestService { [turns] services in
            var limits = RehearsalLimits()
            (limits.images, limits.imageBytes, limits.setBytes, limits.leastImages) = (3, 100, 150, 2)
            services.rehearsals = RehearsalQueue(
                metadata: services.metadata, blobs: services.blobs, executable: nil, limits: limits,
                scheduler: turns, now: services.now, log: { _ in })
        }
        id = try service.makeModel("flowers", FakeProbe.ok("1"), isPublished: true)
    }

    private func put(_ name: String, _ bytes: [UInt8], label: String? = nil) throws -> TestResponse {
        try service.call(
            .put, "/hearth/v1/projects/project-a/models/\(id)/images/\(name)" + (label.map { "?label=\($0)" } ?? ""),
            headers: ["Authorization": "Bearer \(try service.accessToken(service.a))"], body: bytes)
    }

    private func images() throws -> [RehearsalImage] {
        try service.services.metadata.read { try $0.rehearsalImages(model: #require(Int64(id))) }
    }

    @Test("An image is added, listed, read, replaced and deleted")
    func image() throws {
        let added = try put("daisy%2F1.jpg", [1, 2, 3], label: "daisy")
        #expect(added.status == 200 && added.string("name") == "daisy/1.jpg" && added.string("label") == "daisy")
        #expect(added.string("sizeBytes") == "3" && added.string("sha256") == SHA256Hasher.hash([1, 2, 3]).hex)
        let path = "models/\(id)/images"
        let read = try service.hearthAdmin(.get, path + "/daisy%2F1.jpg")
        #expect(read.status == 200)
        #expect(try service.hearthAdmin(.get, path).text.contains("daisy/1.jpg"))
        #expect(try put("daisy%2F1.jpg", [4]).status == 200)
        #expect(try images().map(\.label) == [nil])
        #expect(try service.hearthAdmin(.delete, path + "/daisy%2F1.jpg").status == 200)
        try service.hearthAdmin(.delete, path + "/daisy%2F1.jpg").expectRefusal(404, "NOT_FOUND")
        #expect(try images().isEmpty)
    }

    @Test("The limits hold at the limit and one above it")
    func limits() throws {
        #expect(try put("a", Array(repeating: 1, count: 100)).status == 200)
        #expect(try put("b", Array(repeating: 1, count: 101)).status == 413)
        #expect(try put("b", Array(repeating: 2, count: 50)).status == 200)
        try put("c", [3]).expectRefusal(400, "FAILED_PRECONDITION")
        #expect(try put("b", Array(repeating: 2, count: 40)).status == 200, "a replaced image does not count twice")
        #expect(try put("c", [3]).status == 200)
        try put("d", [4]).expectRefusal(400, "FAILED_PRECONDITION")
        try put(String(repeating: "a", count: 201), [4]).expectRefusal(400, "INVALID_ARGUMENT")
        try put("e", []).expectRefusal(400, "INVALID_ARGUMENT")
        #expect(try images().count == 3)
    }

    @Test("Few images are refused; a server without a probe says that the rehearsal failed")
    func start() throws {
        #expect(try put("a", [1]).status == 200)
        let path = "models/\(id)/rehearsals"
        let few = try service.hearthAdmin(.post, path)
        few.expectRefusal(400, "FAILED_PRECONDITION")
        #expect(few.string("error.message")?.contains("needs at least 2") == true)
        #expect(try put("b", [2]).status == 200)
        let same = try service.hearthAdmin(.post, path, #"{"version":1,"against":1}"#)
        same.expectRefusal(400, "FAILED_PRECONDITION")
        #expect(same.string("error.message")?.contains("are the same file") == true)
        let started = try service.hearthAdmin(.post, path)
        let rehearsal = try #require(started.string("rehearsal"), "\(started.text)")
        #expect(started.string("state") == "queued")
        turns.passTime()
        let state = try service.hearthAdmin(.get, path + "/\(rehearsal)")
        #expect(state.string("state") == "failed")
        #expect(state.string("failure")?.contains("runs no rehearsals") == true)
        try service.hearthAdmin(.get, path + "/none").expectRefusal(404, "NOT_FOUND")
    }

    @Test("A stored gate refuses releases whose rehearsal is missing or worse, and the caller may allow them")
    func gate() throws {
        #expect(try put("a", [1]).status == 200)
        let set = try service.admin(
            .patch, "models/\(id)?updateMask=hearth.rehearsalRequire,hearth.rehearsalCheck",
            #"{"hearth":{"rehearsalRequire":"agreement=50.0%","rehearsalCheck":"refuse"}}"#)
        #expect(set.string("response.hearth.rehearsalRequire") == "agreement=50%", "\(set.text)")
        try service.makeVersion(id, FakeProbe.ok("2"))
        let path = "models/\(id)/releases"
        for body in ["", #"{"share":0.1}"#] {
            let refused = try service.hearthAdmin(.post, path, body)
            refused.expectRefusal(400, "FAILED_PRECONDITION")
            #expect(refused.string("error.message")?.contains("was not rehearsed against version 1") == true)
        }
        try record(agreeing: 9)
        try service.hearthAdmin(.post, path).expectRefusal(400, "FAILED_PRECONDITION")
        try record(agreeing: 10)
        let listed = try service.hearthAdmin(.get, "models/\(id)/rehearsals")
        #expect(listed.text.contains(#""passes":true"#), "\(listed.text)")
        #expect(try service.hearthAdmin(.post, path, #"{"share":0.1}"#).status == 200)
        #expect(try put("b", [2]).status == 200)
        try service.hearthAdmin(.post, path).expectRefusal(400, "FAILED_PRECONDITION")
        #expect(try service.hearthAdmin(.post, path, #"{"allowFailedRehearsal":true}"#).status == 200)
        #expect(try service.delivered("flowers") == hash(FakeProbe.ok("2")))
        let wrong = try service.admin(
            .patch, "models/\(id)?updateMask=hearth.rehearsalRequire", #"{"hearth":{"rehearsalRequire":"agreement"}}"#)
        #expect(wrong.text.contains("is not a requirement"), "\(wrong.text)")
    }

    @Test("A gate that asks for a shown loss refuses a version that lost much, and only then")
    func shownLoss() throws {
        #expect(try put("a", [1]).status == 200)
        let set = try service.admin(
            .patch, "models/\(id)?updateMask=hearth.rehearsalRequire,hearth.rehearsalCheck",
            #"{"hearth":{"rehearsalRequire":"shown-loss=1.0%","rehearsalCheck":"refuse"}}"#)
        #expect(set.string("response.hearth.rehearsalRequire") == "shown-loss=1%", "\(set.text)")
        try service.makeVersion(id, FakeProbe.ok("2"))
        let path = "models/\(id)/releases"
        func refusal() throws -> String {
            try service.hearthAdmin(.post, path, #"{"share":0.1}"#).string("error.message") ?? ""
        }
        try record(agreeing: 16, lost: nil)
        #expect(try refusal().contains("rehearse with --again"))
        try record(agreeing: 16, lost: 4)
        #expect(try refusal().contains("4 lost and 0 gained show a loss of more than 1%"))
        let list = try service.hearthAdmin(.get, "models/\(id)/rehearsals")
        #expect(list.text.contains(#""lost":4"#) && !list.text.contains("notes"), "\(list.text)")
        try record(agreeing: 17, lost: 3)
        let listed = try WireJSON.decode(
            RehearsalBodies.List.self, from: service.hearthAdmin(.get, "models/\(id)/rehearsals").text.utf8)
        let rehearsal = try #require(listed.rehearsals?.first?.rehearsal)
        let shown = try service.hearthAdmin(.get, "models/\(id)/rehearsals/\(rehearsal)")
        #expect(shown.text.contains("20 images need 4 lost answers (20%) or more"), "\(shown.text)")
        #expect(try service.hearthAdmin(.post, path, #"{"share":0.1}"#).status == 200)
    }

    @Test(
        "A result that does not count the lost answers, as earlier servers stored it, gets the same verdict everywhere")
    func earlierResult() throws {
        for name in ["a", "b"] { #expect(try put(name, [1]).status == 200) }
        let set = try service.admin(
            .patch, "models/\(id)?updateMask=hearth.rehearsalRequire,hearth.rehearsalCheck",
            #"{"hearth":{"rehearsalRequire":"shown-loss=1%","rehearsalCheck":"refuse"}}"#)
        #expect(set.status == 200, "\(set.text)")
        try service.makeVersion(id, FakeProbe.ok("2"))
        // The images tell that nothing was lost.
        let same = RehearsalBodies.Answers(answers: [.init(text: "rose", index: 0, confidence: 0.5)])
        try record(
            agreeing: 20, lost: nil,
            images: (0..<20).map { .init(name: "\($0)", label: "rose", candidate: same, baseline: same) })
        let list = try service.hearthAdmin(.get, "models/\(id)/rehearsals")
        let listed = try WireJSON.decode(RehearsalBodies.List.self, from: list.text.utf8)
        let rehearsal = try #require(listed.rehearsals?.first?.rehearsal)
        let answers = [
            list, try service.hearthAdmin(.get, "models/\(id)/rehearsals/\(rehearsal)"),
            try service.hearthAdmin(.post, "models/\(id)/rehearsals", #"{"version":2}"#),
            try service.hearthAdmin(.post, "models/\(id)/releases", #"{"share":0.1}"#),
            try service.hearthAdmin(.get, "overview"),
        ]
        for answer in answers {
            #expect(answer.text.contains("rehearse with --again"), "\(answer.text)")
            #expect(!answer.text.contains(#""passes":true"#), "\(answer.text)")
        }
    }

    @Test("The gate holds for the start of an experiment too, except for versions that all devices had")
    func experiments() throws {
        #expect(try put("a", [1]).status == 200)
        func set(_ check: String) throws {
            let answer = try service.admin(
                .patch, "models/\(id)?updateMask=hearth.rehearsalRequire,hearth.rehearsalCheck",
                #"{"hearth":{"rehearsalRequire":"agreement=50%","rehearsalCheck":"\#(check)"}}"#)
            #expect(answer.status == 200, "\(answer.text)")
        }
        try set("refuse")
        try service.makeVersion(id, FakeProbe.ok("2"))
        func make(_ name: String) throws {
            try service.makeExperiment(
                #"""
                {"name":"\#(name)","goal":{"event":"ok","kind":"conversion"},"share":0.2,"variants":[
                    {"name":"v1","models":{"flowers":1}},{"name":"v2","models":{"flowers":2}}]}
                """#, start: false)
        }
        func start(_ name: String, _ body: String = "") throws -> TestResponse {
            try service.hearthAdmin(.post, "experiments/\(name):start", body)
        }
        for name in ["refused", "warned", "good", "after"] { try make(name) }
        let refused = try start("refused")
        refused.expectRefusal(400, "FAILED_PRECONDITION")
        let message = try #require(refused.string("error.message"))
        #expect(message.contains("The variant 'v2' cannot get 'flowers'. Version 2"), "\(message)")
        #expect(message.contains("was not rehearsed against version 1"))
        #expect(message.contains("--allow-failed-rehearsal"))
        #expect(try service.hearthAdmin(.get, "experiments/refused").string("state") == "draft")
        try record(agreeing: 9)
        try start("refused").expectRefusal(400, "FAILED_PRECONDITION")
        let allowed = try start("refused", #"{"allowFailedRehearsal":true}"#)
        #expect(allowed.string("state") == "running", "\(allowed.text)")

        try set("warn")
        let warned = try start("warned")
        #expect(warned.string("state") == "running", "\(warned.text)")
        let warnings = try #require(warned["warnings"] as? [String])
        #expect(warnings.contains { $0.hasPrefix("version 2 of 'flowers': its rehearsal against version 1") })

        try set("refuse")
        try record(agreeing: 10)
        let good = try start("good")
        #expect(good.string("state") == "running" && good["warnings"] == nil, "\(good.text)")

        // All devices had version 1 before version 2, so it needs no rehearsal against version 2.
        #expect(try service.hearthAdmin(.post, "models/\(id)/releases", #"{"version":2}"#).status == 200)
        let after = try start("after")
        #expect(after.string("state") == "running" && after["warnings"] == nil, "\(after.text)")
    }

    /// A result of version 2 against version 1 on the present images.
    ///
    /// - Parameter lost: the expected answers that version 2 lost of those of all images; nil for a result that does not say.
    private func record(agreeing: Int, lost: Int? = 0, images: [RehearsalBodies.Comparison] = []) throws {
        var summary = RehearsalBodies.Summary()
        (summary.images, summary.compared, summary.agreeing) = (20, 20, agreeing)
        (summary.labeled, summary.lost) = (20, lost)
        var baseline = RehearsalBodies.Totals()
        baseline.correct = 20
        (summary.baseline, summary.candidate.correct) = (baseline, 20 - (lost ?? 0))
        summary.labels = [
            .init(
                label: "rose", images: 20, candidateCorrect: 20 - (lost ?? 0), baselineCorrect: 20, lost: lost)
        ]
        let json = String(decoding: try WireJSON.encode(summary), as: UTF8.self)
        let imagesJSON = String(decoding: try WireJSON.encode(images), as: UTF8.self)
        let model = try #require(Int64(id))
        let set = RehearsalImageSet.digest(of: try self.images())
        try service.services.metadata.write { store in
            try store.put(
                RehearsalRecord(
                    modelID: model, candidateSHA256: hash(FakeProbe.ok("2")), baselineSHA256: hash(FakeProbe.ok("1")),
                    imageSet: set, candidateVersion: 2, baselineVersion: 1, summaryJSON: json, imagesJSON: imagesJSON,
                    createdMicroseconds: 1, createdBy: ""), keeping: 5)
        }
    }
}
