import Foundation
import HearthArguments
import HearthCalls
import HearthWire
import Testing

@testable import HearthManagementCommands

/// Tables with what real servers say fit a usual terminal, and keep what they are looked at for.
@Suite struct TableWidthTests {
    private static let author = "release-robot@hearth-default.iam.hearth.invalid"
    private static let time = "2026-11-22T18:52:41.123456Z"
    private static let columns = 80
    private static let now = Timestamp(rfc3339: "2026-11-22T19:00:00Z")!

    private static func release(_ state: String = "active") -> ReleaseBodies.Release {
        ReleaseBodies.Release(
            release: 12, version: 14, kind: "rollout", state: state, share: 0.333333,
            stages: [.init(time: "2026-12-01T09:00:00Z", share: 0.5)],
            audience: {
                var audience = Audience()
                audience.operatingSystems = ["android", "ios"]
                audience.condition = "device.country in ['CH', 'AT'] && percent('winter') <= 10"
                return audience
            }(), createTime: time, createdBy: author, pauseTime: nil, endTime: nil, warnings: nil)
    }

    private static func version(_ message: String?, aliases: [String]? = nil) -> ReleaseBodies.Version {
        ReleaseBodies.Version(
            version: 14, modelHash: String(repeating: "0123456789abcdef", count: 4), sizeBytes: "203423744", source: "",
            createTime: time, createdBy: author, verdict: "unsupported", message: message, contract: nil,
            note: aliases.map { _ in "retrained on the images of the kitchens in May" }, aliases: aliases)
    }

    private static func model() -> ModelResource {
        var model = ModelResource()
        model.displayName = "salad-detector-for-the-kitchens"
        model.hearth = .init(version: 14, releasedVersion: 11)
        model.hearth?.rollouts = [release()]
        model.hearth?.warning = "The server's engine has no operator CUSTOM_SALAD."
        model.updateTime = time
        return model
    }

    /// The tables' texts at a width, by name.
    private static func texts(_ width: Int?) -> [(name: String, text: String, kept: [String])] {
        var releases = ReleaseSummary.table
        for state in ["active", "ended"] {
            releases.append(ReleaseSummary(release(state), now: now).row(project: "hearth-default"))
        }
        var models = ModelSummary.table
        models.append(ModelSummary(model(), size: "203423744").row)
        let versions = VersionTable(
            [version("The operator is not there."), version(nil, aliases: ["champion"])], releases: [release()],
            project: "hearth-default")
        let account = KeyBodies.ServiceAccount(
            email: author, role: "owner", operator: true, createTime: time,
            keys: [.init(id: String(repeating: "ab", count: 20), createTime: time, endTime: nil)])
        let upload = UploadBodies.Unfinished(
            upload: "0123456789abcdef0123456789abcdef", fileName: "salad-detector-v14.tflite", receivedBytes: "8388608",
            totalBytes: "203423744", createTime: time, createdBy: author, updateTime: time, expireTime: time)
        return [
            ("releases", releases.text(width: width), ["12", "14", "active", "33.3333%", "android or"]),
            ("models", models.text(width: width), ["salad-detector-for-the-kitchens", "194.0 MiB", "version 11"]),
            ("versions", versions.text(width: width), ["14", "champion", "unsupported", "194.0 MiB", "33.3333% (re"]),
            (
                "accounts", KeyTables.accounts([account], project: "hearth-default", width: width, now: now),
                ["release-robot", String(repeating: "ab", count: 20), "active"]
            ),
            (
                "uploads", UploadTable.text([upload], project: "hearth-default", width: width),
                ["0123456789abcdef0123456789abcdef", "8.0 MiB of 194.0 MiB"]
            ),
        ]
    }

    @Test func onATerminalTheyFit() {
        for (name, text, kept) in Self.texts(Self.columns) {
            for line in text.split(separator: "\n") { #expect(line.count <= Self.columns, "\(name)\n\(text)") }
            for cell in kept { #expect(text.contains(cell), "\(name) lacks \(cell)\n\(text)") }
        }
    }

    @Test func inAFileNothingIsMissing() {
        for (name, text, kept) in Self.texts(nil) {
            #expect(text.split(separator: "\n")[0].count > Self.columns, "\(name)\n\(text)")
            for cell in kept + ["(UTC)", "2026-11-22 18:52"] { #expect(text.contains(cell), "\(name)\n\(text)") }
        }
    }

    @Test func authorsHaveShortNames() {
        for (name, text, _) in Self.texts(nil) {
            #expect(!text.contains("hearth.invalid"), "\(name)\n\(text)")
        }
    }
}
