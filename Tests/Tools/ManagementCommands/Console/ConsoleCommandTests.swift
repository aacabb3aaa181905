import HearthArguments
import HearthCalls
import HearthWire
import Testing

@testable import HearthManagementCommands

@Suite("Commands about the console and the server") struct ConsoleCommandTests {
    private func message(_ arguments: [String]) -> String {
        do {
            var command = try ManagementProgram.parseAsRoot(arguments)
            try command.run()
            return ""
        } catch {
            return ManagementProgram.message(for: error)
        }
    }

    @Test(
        "Wrong arguments are explained",
        arguments: [
            (["console", "share"], "Give --model and --release, or --experiment."),
            (["console", "share", "--model", "m"], "Give --model and --release, or --experiment."),
            (
                ["console", "share", "--release", "1", "--experiment", "x"],
                "Give --model and --release, or --experiment."
            ),
            (["console", "share", "--model", "m", "--release", "one"], "--release"),
            (["console", "share", "--experiment", "x", "--lifetime", "soon"], "--lifetime"),
            (["console", "revoke"], "id"), (["console", "unshare"], "id"),
            (["console", "lniks"], "Unexpected argument 'lniks'"),
        ])
    func wrongArguments(arguments: [String], text: String) {
        #expect(message(arguments).contains(text), "\(message(arguments))")
    }

    @Test("Without a subcommand, the console opens")
    func opens() throws {
        #expect(try ManagementProgram.parseAsRoot(["console"]) is ConsoleOpenCommand)
        #expect(try ManagementProgram.parseAsRoot(["console", "--print"]) is ConsoleOpenCommand)
    }

    private func text(_ status: ServerBodies.Status) -> [String] {
        ServerStatusText.lines(status).map { "\($0.name): \($0.value)" }
    }

    @Test("Operators read all of the state, others what they get")
    func state() {
        var status = ServerBodies.Status(version: "9.9", startTime: "2027-01-15T08:00:00Z", console: false)
        status.deviceUrl = "https://models.example"
        #expect(
            text(status) == [
                "version: Hearth 9.9", "running since: 2027-01-15 08:00 UTC", "devices use: https://models.example",
                "console: off",
            ])
        (status.engine, status.schema, status.validationQueue, status.runningProbes) = ("LiteRT 7", 12, 3, 1)
        (status.validationGivenUp, status.deferredRemovals, status.console) = (2, 4, true)
        status.folders = [
            .init(name: "data", path: "/srv", freeBytes: "1000", sizeBytes: "2000"),
            .init(name: "blobs", path: "/blobs", freeBytes: nil, sizeBytes: nil),
        ]
        (status.database, status.modelStore) = ("db.example/hearth", "s3://models")
        (status.problems, status.notes) = (["the disk is full"], ["few files"])
        let lines = text(status)
        for line in [
            "engine: LiteRT 7", "schema: 12", "console: on", "blobs folder: /blobs",
            "validation: 3 waiting or running, 1 running", "not validated: 2; the log says why",
            "last backup: none known; run hearth admin backup", "removals: 4 wait for hearth admin clean",
            "problem: the disk is full", "note: few files", "database: db.example/hearth", "model store: s3://models",
        ] { #expect(lines.contains(line), "\(line) in \(lines)") }
        #expect(lines.contains { $0.hasPrefix("data folder: /srv, 1") && $0.hasSuffix("free") })
        status.lastBackupTime = "2027-01-14T02:00:00Z"
        #expect(text(status).contains("last backup: 2027-01-14 02:00 UTC"))
    }
}
