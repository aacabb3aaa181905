import Foundation
import Glibc
import HearthAdmin
import HearthAdminTestSupport
import HearthArguments
import HearthCalls
import HearthCrypto
import HearthTestSupport
import HearthWire
import Testing

@testable import HearthManagementCommands

/// A file that the server has already is not sent again.
@Suite struct RepeatedPushTests {
    private let folder: TemporaryFolder
    private let file: String
    private let bytes = [UInt8](repeating: 7, count: 100_000)

    init() throws {
        folder = try TemporaryFolder()
        file = try folder.write(Data(bytes), to: "model.tflite")
    }

    private struct Stored {
        var hash: String
        var size: Int?
        var version: Int? = 3
        /// Whether the server has lost its bytes.
        var isMissing = false
    }

    private func stored(hash: String? = nil, size: Int? = 100_000) -> Stored {
        Stored(hash: hash ?? SHA256Hasher.hash(bytes).hex, size: size)
    }

    /// A server whose model's newest version is version 3 with that hash.
    private func server(_ stored: Stored, releaseIsThere: Bool = false) -> StubServer {
        StubServer { call in
            var model = ModelResource()
            model.name = "projects/p/models/7"
            model.displayName = "digits"
            model.modelHash = stored.hash
            model.tfliteModel = .init(sizeBytes: stored.size.map(String.init))
            model.hearth = .init(version: stored.version, releasedVersion: 2)
            if call.text.hasPrefix("GET /v1beta2/projects/p-stand-in/models?") {
                return StubServer.json(ModelList(models: [model], nextPageToken: nil))
            }
            if call.url.contains("/uploads") {
                return StubServer.json(
                    UploadResource(
                        gcsTfliteUri: "gs://b/o", sizeBytes: "100000", sha256: SHA256Hasher.hash(call.body).hex,
                        validationError: nil, warning: nil))
            }
            if call.url.hasSuffix("/releases") {
                var release = ReleaseBodies.Release(
                    release: 1, version: 3, kind: "rollout", state: "active", share: 0.1, stages: nil, audience: nil,
                    createTime: "", createdBy: "", pauseTime: nil, endTime: nil, warnings: ["another input"])
                if releaseIsThere { release.unchanged = true }
                return StubServer.json(release)
            }
            if call.url.contains("/versions") {
                return StubServer.json(
                    ReleaseBodies.Version(
                        version: 4, modelHash: SHA256Hasher.hash(call.body).hex, sizeBytes: "100000", source: "",
                        createTime: "", createdBy: "", verdict: "ok", message: nil, contract: nil))
            }
            if call.method == "GET" {
                if stored.isMissing { model.hearth?.fileMissing = true }
                model.modelHash = SHA256Hasher.hash([UInt8](repeating: 7, count: 100_000)).hex
                return StubServer.json(model)
            }
            return StubServer.json(OperationResource(model))
        }
    }

    private func push(
        _ server: StubServer, _ options: String...
    ) throws -> (outcome: ModelPush.Outcome, sentBytes: Int) {
        let command = try PushCommand.parse(["digits", file] + options)
        let (outcome, _) = try command.outcome(server.client().client)
        return (outcome, server.calls.reduce(0) { $0 + $1.body.count })
    }

    @Test func bytesThatTheNewestVersionHasAreNotSent() throws {
        let server = server(stored())
        let (outcome, sentBytes) = try push(server)
        #expect(sentBytes == 0)
        #expect(
            server.calls.allSatisfy { $0.method == "GET" } && !outcome.isNewVersion && outcome.isUnchangedForDevices)
    }

    @Test func theirNoteIsSentAllTheSame() throws {
        let server = server(stored())
        #expect(try push(server, "--note", "May's images").outcome.isNewVersion == false)
        let changes = server.calls.filter { $0.method != "GET" }
        #expect(changes.map(\.text) == ["PATCH /hearth/v1/projects/p/models/7/versions/3"])
        #expect(changes.first?.json["note"] as? String == "May's images")
    }

    @Test func bytesThatTheServerHasLostAreSent() throws {
        var lost = stored()
        lost.isMissing = true
        #expect(try push(server(lost)).sentBytes >= bytes.count)
    }

    @Test func whoAsksForItSendsThemInAnyCase() throws {
        #expect(try push(server(stored()), "--again").sentBytes >= bytes.count)
    }

    /// It may never end, and its bytes can be read once only.
    @Test func whatIsNoRegularFileIsRefusedUnread() throws {
        let pipe = folder.path + "/pipe"
        #expect(mkfifo(pipe, 0o600) == 0)
        for path in [pipe, "/dev/zero"] {
            let command = try PushCommand.parse(["digits", path])
            let server = server(stored(size: nil))
            do {
                _ = try command.outcome(server.client().client)
                Issue.record("\(path) was pushed")
            } catch {
                #expect("\(error)".contains("not a regular file"), "\(error)")
            }
        }
    }

    @Test func otherBytesAreSent() throws {
        let other = SHA256Hasher.hash([1]).hex
        for stored in [stored(hash: other), stored(hash: other, size: nil), stored(size: 99_999)] {
            #expect(try push(server(stored)).sentBytes >= bytes.count)
        }
    }

    @Test func theyAreReleasedAsTheCommandSays() throws {
        let toShare = server(stored())
        let (outcome, sentBytes) = try push(toShare, "--share", "10%")
        #expect(sentBytes < 1000 && outcome.release?.release == 1)
        let call = try #require(toShare.calls.first { $0.url.hasSuffix("/releases") })
        #expect(call.json["version"] as? Int == 3 && call.json["share"] as? Double == 0.1)
        #expect(outcome.contractChanges == ["another input"])

        // To all by its number: a newer version of another user is not the one that was named.
        let toAll = server(stored())
        let published = try push(toAll, "--publish")
        #expect(published.sentBytes < 1000 && !published.outcome.isUnchangedForDevices)
        let release = try #require(toAll.calls.first { $0.url.hasSuffix("/releases") })
        #expect(release.json["version"] as? Int == 3 && release.json["share"] == nil)
        #expect(published.outcome.release == nil && published.outcome.contractChanges == ["another input"])
        #expect(try push(server(stored(), releaseIsThere: true), "--publish").outcome.isUnchangedForDevices)
    }

    @Test func tagsAreAddedAllTheSame() throws {
        let server = server(stored())
        #expect(try push(server, "--tag", "new").sentBytes < 1000)
        #expect(server.texts.last == "PATCH /v1beta2/projects/p/models/7?updateMask=tags")
    }
}
