import HearthAdminTestSupport
import HearthCalls
import HearthTransport
import HearthWire
import Synchronization
import Testing

@testable import HearthAdmin

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
        _ server: StubServer, to audience: ModelPush.Target, tags: [String] = [], note: String? = nil
    ) throws -> ModelPush.Outcome {
        try ModelPush(client: server.client().client).push(
            "digits", upload: upload, to: audience, tags: tags, note: note)
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
            server, to: .release(share: 0.1, allowsContractChange: true))
        #expect(!server.texts.contains { $0.hasPrefix("PATCH") })
        let call = try #require(server.calls.first { $0.url.hasSuffix("/releases") })
        #expect(call.text == "POST /hearth/v1/projects/p/models/7/releases")
        #expect(call.json["version"] as? Int == 2 && call.json["share"] as? Double == 0.1)
        #expect(call.json["allowContractChange"] as? Bool == true)
        #expect(outcome.contractChanges == ["another input"])
    }

    /// So the version has it even if its release is refused.
    @Test func aNoteIsWrittenBeforeTheRelease() throws {
        for audience in [ModelPush.Target.none, .all] {
            let server = server(version: 1)
            let outcome = try push(server, to: audience, note: "May's images")
            let made = server.calls.filter { $0.method != "GET" }
            #expect(
                made.map(\.text) == ["POST /hearth/v1/projects/p/models/7/versions"]
                    + (audience == .all ? ["POST /hearth/v1/projects/p/models/7/releases"] : []))
            #expect(made.first?.json["note"] as? String == "May's images")
            #expect((outcome.release != nil) == (audience == .all))
        }
        let server = server(version: nil)
        _ = try push(server, to: .all, note: "May's images")
        let made = server.calls.filter { $0.method != "GET" }
        #expect(
            made.map(\.text) == [
                "POST /v1beta2/projects/p-stand-in/models", "PATCH /hearth/v1/projects/p/models/7/versions/1",
                "POST /hearth/v1/projects/p/models/7/releases",
            ])
        #expect(made[1].json["note"] as? String == "May's images" && made[0].json["state"] == nil)
    }

    @Test func aMalformedFileIsNotReleased() throws {
        let server = server(version: 1) { $0.state = .init(validationError: RPCStatus(.invalidArgument, "junk")) }
        let outcome = try push(server, to: .release(share: 1, allowsContractChange: false))
        #expect(outcome.problem == "junk")
        #expect(outcome.release == nil && !server.texts.contains { $0.hasSuffix("/releases") })
    }

    @Test func whatTheUploadFoundToBeNoModelBecomesNoVersion() {
        let server = server(version: nil)
        var upload = upload
        upload.validationError = RPCStatus(.invalidArgument, "It is an image.")
        let push = ModelPush(client: server.client().client)
        let error = #expect(throws: (any Error).self) { try push.push("digits", upload: upload, to: .none) }
        #expect("\(error.map { "\($0)" } ?? "")".contains("so the server made no version: It is an image."))
        #expect(server.calls.isEmpty)
    }

    @Test func aFileThatCameBetweenIsNoticed() {
        let server = server(version: 1) { $0.modelHash = "of somebody else" }
        for audience in [ModelPush.Target.all, .none, .release(share: 1, allowsContractChange: false)] {
            #expect(throws: (any Error).self) { try push(server, to: audience) }
        }
        #expect(!server.texts.contains { $0.hasSuffix("/releases") })
    }

    @Test func tagsAreThereOnce() {
        #expect(ModelTags.changed(["a", "b"], adding: ["c", "a"], removing: ["b"]) == ["a", "c"])
        #expect(ModelTags.changed([], adding: [], removing: ["x"]) == [])
    }
}
