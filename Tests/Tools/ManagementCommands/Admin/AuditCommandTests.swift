import HearthArguments
import HearthCalls
import HearthWire
import Testing

@testable import HearthManagementCommands

@Suite struct AuditCommandTests {
    private static func entry(
        _ actor: String, _ action: String, _ subject: String, name: String? = nil, actorName: String? = nil,
        detail: String? = nil
    ) -> AuditBodies.Entry {
        AuditBodies.Entry(
            id: "1", time: "2026-11-21T12:00:05.000001Z", projectId: "p-one", actor: actor, actorName: actorName,
            action: action, subject: subject, subjectName: name, detail: detail)
    }

    private let entries = [
        entry("ci@p-one.iam.hearth.invalid", "model.publish", "models/1000001", name: "flowers", detail: "version 1"),
        entry("token:ab12", "apiKey.end", "apiKeys/99", actorName: "nightly"),
        entry("admin@other.iam.hearth.invalid", "accountKey.revoke", "serviceAccounts/ci@p-one.iam.hearth.invalid"),
        entry("ci@p-one.iam.hearth.invalid", "access.refuse", "DELETE /hearth/v1/projects/p-one", detail: "No."),
        entry("ci@p-one.iam.hearth.invalid", "file.upload", "gs://b/Models/ab/a.tflite", detail: "9 bytes"),
    ]

    @Test func theTableHasNames() {
        #expect(
            AuditText(entries: entries, hasProjects: false).text(width: nil) == """
                TIME (UTC)        WHO            ACTION             WHAT                              DETAIL
                2026-11-21 12:00  ci             model.publish      model flowers                     version 1
                2026-11-21 12:00  token nightly  apiKey.end         API key 99
                2026-11-21 12:00  admin@other    accountKey.revoke  account ci
                2026-11-21 12:00  ci             access.refuse      DELETE /hearth/v1/projects/p-one  No.
                2026-11-21 12:00  ci             file.upload        file a.tflite                     9 bytes
                """)
        let all = AuditText(entries: entries, hasProjects: true).text(width: nil)
        #expect(all.contains("PROJECT") && all.contains("p-one") && all.contains("admin@other"))
    }

    @Test func rowsFitATerminal() {
        let lines = AuditText(entries: entries, hasProjects: true).text(width: 80).split(separator: "\n")
        #expect(lines.count == 6 && lines.allSatisfy { $0.count <= 80 })
    }

    @Test func timesArePastOnesToo() {
        let now = Timestamp(rfc3339: "2026-11-21T12:00:00Z")!
        #expect(PastTimeArgument("7d", now: now)?.wire == "2026-11-14T12:00:00Z")
        #expect(PastTimeArgument("2026-11-20T01:00+01:00", now: now)?.wire == "2026-11-20T00:00:00Z")
        for junk in ["", "7", "yesterday", "2026-11-20", "-1d", "7d ago"] {
            #expect(PastTimeArgument(junk, now: now) == nil)
        }
    }
}
