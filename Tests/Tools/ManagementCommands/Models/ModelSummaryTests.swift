import HearthAdmin
import HearthAdminTestSupport
import HearthArguments
import HearthCalls
import HearthWire
import Testing

@testable import HearthManagementCommands

@Suite struct ModelSummaryTests {
    @Test func aListedModelShowsWhatIsBeingRolledOut() {
        var model = ModelResource()
        model.hearth = .init(version: 2, releasedVersion: 1)
        #expect(ModelSummary(model, size: nil).row[3] == "version 1")
        model.hearth?.rollouts = [
            ReleaseBodies.Release(
                release: 2, version: 2, kind: "rollout", state: "paused", share: 0.1, stages: nil, audience: nil,
                createTime: "", createdBy: "", pauseTime: nil, endTime: nil, warnings: nil)
        ]
        #expect(ModelSummary(model, size: nil).row[3] == "version 1; version 2 to 10% of all devices, paused")
        model.hearth?.releasedVersion = nil
        #expect(ModelSummary(model, size: nil).row[3] == "version 2 to 10% of all devices, paused")
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
        #expect(error.map { "\($0)" }?.contains("not both") == true)
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
