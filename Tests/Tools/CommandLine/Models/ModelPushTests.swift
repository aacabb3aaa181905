import HearthTransport
import HearthWire
import Synchronization
import Testing

@testable import HearthCommandLine

@Suite struct ModelPushTests {
    private let upload = UploadResource(
        gcsTfliteUri: "gs://b/o", sizeBytes: "10", sha256: "abc", validationError: nil, warning: nil)

    /// A server with a model, or without.
    private func server(
        version: Int?, answer: @escaping @Sendable (inout ModelResource) -> Void = { _ in }
    ) -> StandInServer {
        StandInServer { call in
            var model = ModelResource()
            model.name = "projects/p/models/7"
            model.displayName = "digits"
            model.tags = ["old"]
            if call.method == "GET" {
                model.hearth = .init(version: version, releasedVersion: nil)
                return StandInServer.json(ModelList(models: version == nil ? nil : [model], nextPageToken: nil))
            }
            if call.url.hasSuffix("/releases") {
                return StandInServer.json(
                    ReleaseBodies.Release(
                        release: 1, version: 2, kind: "rollout", state: "active", share: 0.1, stages: nil,
                        audience: nil,
                        createTime: "", createdBy: "", pauseTime: nil, endTime: nil, warnings: ["another input"]))
            }
            model.hearth = .init(version: (version ?? 0) + 1, releasedVersion: nil)
            model.modelHash = "abc"
            answer(&model)
            return StandInServer.json(OperationResource(model))
        }
    }

    @Test func aNewModelIsMadeInOneCall() throws {
        let server = server(version: nil)
        let outcome = try ModelPush(client: server.client().client)
            .push("digits", upload: upload, to: .all, tags: ["a", "b", "a"])
        #expect(outcome.isNewVersion)
        let call = try #require(server.calls.last)
        #expect(call.method == "POST" && call.json["displayName"] as? String == "digits")
        #expect((call.json["state"] as? [String: Bool]) == ["published": true])
        #expect(call.json["tags"] as? [String] == ["a", "b"])
    }

    @Test func aKnownModelGetsAVersionAndKeepsItsTags() throws {
        let server = server(version: 1)
        _ = try ModelPush(client: server.client().client).push("digits", upload: upload, to: .none, tags: ["new"])
        let call = try #require(server.calls.last)
        #expect(
            call.text == "PATCH /v1beta2/projects/p/models/7?updateMask=tfliteModel.gcsTfliteUri%2Ctags")
        #expect(call.json["tags"] as? [String] == ["old", "new"] && call.json["state"] == nil)
    }

    @Test func aShareIsAReleaseOfItsOwn() throws {
        let server = server(version: 1)
        let outcome = try ModelPush(client: server.client().client).push(
            "digits", upload: upload, to: .release(share: Share(millionths: 100_000), allowsContractChange: true))
        let call = try #require(server.calls.first { $0.url.hasSuffix("/releases") })
        #expect(call.text == "POST /hearth/v1/projects/p/models/7/releases")
        #expect(call.json["version"] as? Int == 2 && call.json["share"] as? Double == 0.1)
        #expect(call.json["allowContractChange"] as? Bool == true)
        #expect(outcome.release?.warnings == ["another input"])
    }

    @Test func aMalformedFileIsNotReleased() throws {
        let server = server(version: 1) { $0.state = .init(validationError: RPCStatus(.invalidArgument, "junk")) }
        let outcome = try ModelPush(client: server.client().client).push(
            "digits", upload: upload, to: .release(share: .whole, allowsContractChange: false))
        #expect(outcome.release == nil && !server.texts.contains { $0.hasSuffix("/releases") })
    }

    @Test func aFileThatCameBetweenIsNoticed() {
        let server = server(version: 1) { $0.modelHash = "of somebody else" }
        #expect(throws: (any Error).self) {
            try ModelPush(client: server.client().client).push("digits", upload: upload, to: .all)
        }
    }

    @Test func tagsAreThereOnce() {
        #expect(ModelTags.changed(["a", "b"], adding: ["c", "a"], removing: ["b"]) == ["a", "c"])
        #expect(ModelTags.changed([], adding: [], removing: ["x"]) == [])
    }

    @Test func aModelWhoseNewestFileIsJunkHasASizeAllTheSame() throws {
        let server = StandInServer { _ in
            StandInServer.json(
                ReleaseBodies.Version(
                    version: 1, modelHash: "abc", sizeBytes: "2048", source: "", createTime: "", createdBy: "",
                    verdict: "ok", message: nil, contract: nil))
        }
        var model = ModelResource()
        model.name = "projects/p/models/7"
        model.hearth = .init(version: 2, releasedVersion: 1)
        let size = SizeLookup(client: server.client().client).bytes(of: model)
        #expect(ModelSummary(model, sizeBytes: size).row[3] == "2.0 KiB")
        #expect(server.texts == ["GET /hearth/v1/projects/p/models/7/versions/1"])
        model.tfliteModel = .init(sizeBytes: "1024")
        #expect(SizeLookup(client: server.client().client).bytes(of: model) == "1024" && server.calls.count == 1)
    }
}
