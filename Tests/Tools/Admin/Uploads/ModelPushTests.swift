import HearthArguments
import HearthTransport
import HearthWire
import Synchronization
import Testing

@testable import HearthCommandLine

@Suite struct ModelPushTests {
    private let upload = UploadResource(
        gcsTfliteUri: "gs://b/o", sizeBytes: "10", sha256: "abc", validationError: nil, warning: nil)

    /// A server with a model that is published, or without.
    private func server(
        version: Int?, answer: @escaping @Sendable (inout ModelResource) -> Void = { _ in }
    ) -> StubServer {
        StubServer { call in
            var model = ModelResource()
            model.name = "projects/p/models/7"
            model.displayName = "digits"
            model.tags = ["old"]
            if call.text.hasPrefix("GET /v1beta2/projects/p-stand-in/models?") {
                model.hearth = .init(version: version, releasedVersion: version)
                return StubServer.json(ModelList(models: version == nil ? nil : [model], nextPageToken: nil))
            }
            if call.url.hasSuffix("/releases") {
                return StubServer.json(
                    ReleaseBodies.Release(
                        release: 1, version: 2, kind: "rollout", state: "active", share: 0.1, stages: nil,
                        audience: nil,
                        createTime: "", createdBy: "", pauseTime: nil, endTime: nil, warnings: ["another input"]))
            }
            if call.url.contains("/versions") {
                // The check takes until the version is asked for.
                return StubServer.json(
                    ReleaseBodies.Version(
                        version: 2, modelHash: "abc", sizeBytes: "10", source: "", createTime: "", createdBy: "",
                        verdict: call.method == "POST" ? "pending" : "ok", message: nil, contract: nil))
            }
            model.hearth = .init(version: (version ?? 0) + 1, releasedVersion: version)
            model.modelHash = "abc"
            answer(&model)
            return call.method == "GET" ? StubServer.json(model) : StubServer.json(OperationResource(model))
        }
    }

    private func push(
        _ server: StubServer, to audience: ModelPush.Target, tags: [String] = []
    ) throws -> ModelPush.Outcome {
        try ModelPush(client: server.client().client).push("digits", upload: upload, to: audience, tags: tags)
    }

    @Test func aNewModelIsMadeInOneCall() throws {
        let server = server(version: nil)
        #expect(try push(server, to: .all, tags: ["a", "b", "a"]).isNewVersion)
        let call = try #require(server.calls.last)
        #expect(call.method == "POST" && call.json["displayName"] as? String == "digits")
        #expect((call.json["state"] as? [String: Bool]) == ["published": true])
        #expect(call.json["tags"] as? [String] == ["a", "b"])
    }

    @Test func aKnownModelIsPublishedInOneCall() throws {
        let server = server(version: 1)
        _ = try push(server, to: .all)
        #expect(
            server.texts.last
                == "PATCH /v1beta2/projects/p/models/7?updateMask=tfliteModel.gcsTfliteUri%2Cstate.published")
    }

    /// The management API would give new bytes of a published model to all devices at once.
    @Test func withoutPublicationNothingChangesForDevices() throws {
        let server = server(version: 1)
        let outcome = try push(server, to: .none, tags: ["new"])
        #expect(outcome.isNewVersion)
        let made = try #require(server.calls.first { $0.method == "POST" })
        #expect(made.text == "POST /hearth/v1/projects/p/models/7/versions")
        #expect(made.json["source"] as? String == "gs://b/o" && made.json.count == 1)
        let changes = server.calls.filter { $0.method == "PATCH" }
        #expect(changes.map(\.text) == ["PATCH /v1beta2/projects/p/models/7?updateMask=tags"])
        #expect(changes.first?.json["tags"] as? [String] == ["old", "new"])
        #expect(server.texts.contains("GET /hearth/v1/projects/p/models/7/versions/2"))
    }

    @Test func aShareIsAReleaseOfItsOwn() throws {
        let server = server(version: 1)
        let outcome = try push(
            server, to: .release(share: Share(millionths: 100_000), allowsContractChange: true))
        #expect(!server.texts.contains { $0.hasPrefix("PATCH") })
        let call = try #require(server.calls.first { $0.url.hasSuffix("/releases") })
        #expect(call.text == "POST /hearth/v1/projects/p/models/7/releases")
        #expect(call.json["version"] as? Int == 2 && call.json["share"] as? Double == 0.1)
        #expect(call.json["allowContractChange"] as? Bool == true)
        #expect(outcome.contractChanges == ["another input"])
    }

    @Test func aMalformedFileIsNotReleased() throws {
        let server = server(version: 1) { $0.state = .init(validationError: RPCStatus(.invalidArgument, "junk")) }
        let outcome = try push(server, to: .release(share: .whole, allowsContractChange: false))
        #expect(outcome.problem == "junk")
        #expect(outcome.release == nil && !server.texts.contains { $0.hasSuffix("/releases") })
    }

    @Test func whatTheUploadFoundToBeNoModelBecomesNoVersion() {
        let server = server(version: nil)
        var upload = upload
        upload.validationError = RPCStatus(.invalidArgument, "It is an image.")
        let push = ModelPush(client: server.client().client)
        let error = #expect(throws: (any Error).self) { try push.push("digits", upload: upload, to: .none) }
        #expect("\(error.map { "\($0)" } ?? "")".contains("no version was made of it: It is an image."))
        #expect(server.calls.isEmpty)
    }

    @Test func aFileThatCameBetweenIsNoticed() {
        let server = server(version: 1) { $0.modelHash = "of somebody else" }
        for audience in [ModelPush.Target.all, .none, .release(share: .whole, allowsContractChange: false)] {
            #expect(throws: (any Error).self) { try push(server, to: audience) }
        }
        #expect(!server.texts.contains { $0.hasSuffix("/releases") })
    }

    @Test func aListedModelShowsWhatIsBeingRolledOut() {
        var model = ModelResource()
        model.hearth = .init(version: 2, releasedVersion: 1)
        #expect(ModelSummary(model, size: nil).row[3] == "version 1")
        model.hearth?.rollouts = [
            ReleaseBodies.Release(
                release: 2, version: 2, kind: "rollout", state: "paused", share: 0.1, stages: nil, audience: nil,
                createTime: "", createdBy: "", pauseTime: nil, endTime: nil, warnings: nil)
        ]
        #expect(ModelSummary(model, size: nil).row[3] == "version 1; version 2 to 10% of everybody, paused")
        model.hearth?.releasedVersion = nil
        #expect(ModelSummary(model, size: nil).row[3] == "version 2 to 10% of everybody, paused")
    }

    @Test func theListHasTimesAsOtherTables() {
        var model = ModelResource()
        model.updateTime = "2026-11-19T08:07:06.123456Z"
        #expect(ModelSummary(model, size: nil).row[4] == "2026-11-19 08:07")
    }

    @Test func whatIsShownOfTheNewestVersionSaysSo() {
        var model = ModelResource()
        model.hearth = .init(version: 3, releasedVersion: 1)
        model.modelHash = "abc"
        let lines = ModelSummary(model, size: "2048").lines
        #expect(lines.contains("version:    3, the newest") && lines.contains("published:  version 1"))
        #expect(lines.suffix(3) == ["Version 3:", "size:       2.0 KiB", "sha256:     abc"])
        // Where the server does not know them.
        model.modelHash = nil
        let junk = ModelSummary(model, size: nil).lines
        #expect(junk.suffix(3) == ["Version 3:", "size:       -", "sha256:     -"])
    }

    @Test func toAllAndToAShareExcludeEachOther() {
        let error = #expect(throws: (any Error).self) {
            try PushCommand.parse(["digits", "a.tflite", "--publish", "--share", "10%"])
        }
        #expect(error.map { "\($0)" }?.contains("exclude each other") == true)
    }

    @Test func tagsAreThereOnce() {
        #expect(ModelTags.changed(["a", "b"], adding: ["c", "a"], removing: ["b"]) == ["a", "c"])
        #expect(ModelTags.changed([], adding: [], removing: ["x"]) == [])
    }

    @Test func theListShowsTheSizeOfTheVersionThatStandsBesideIt() throws {
        var model = ModelResource()
        model.displayName = "digits"
        model.hearth = .init(version: 3, releasedVersion: 1)
        var table = ModelSummary.table
        table.append(ModelSummary(model, size: "2048").row)
        let lines = table.description.split(separator: "\n")
        #expect(lines[0].hasPrefix("NAME    NEWEST     SIZE  PUBLISHED"))
        #expect(lines[1].hasPrefix("digits       3  2.0 KiB  version 1"))
    }

    @Test func aModelWhoseNewestFileIsJunkHasTheSizeOfThatFile() throws {
        let server = StubServer { _ in
            StubServer.json(
                ReleaseBodies.Version(
                    version: 1, modelHash: "abc", sizeBytes: "2048", source: "", createTime: "", createdBy: "",
                    verdict: "ok", message: nil, contract: nil))
        }
        var model = ModelResource()
        model.name = "projects/p/models/7"
        model.hearth = .init(version: 2, releasedVersion: 1)
        let size = SizeLookup(client: server.client().client).size(of: model)
        #expect(ModelSummary(model, size: size).row[2] == "2.0 KiB")
        #expect(server.texts == ["GET /hearth/v1/projects/p/models/7/versions/2"])
        model.tfliteModel = .init(sizeBytes: "1024")
        let newest = SizeLookup(client: server.client().client).size(of: model)
        #expect(newest == "1024" && server.calls.count == 1)
    }
}
