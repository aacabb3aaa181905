import Foundation
import Glibc
import HearthArguments
import HearthLocalCommands

struct DemoCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: CommandSummary.demo.name,
        abstract: CommandSummary.demo.abstract,
        discussion: """
            Starts a server on a free port in a temporary folder, publishes a small model of handwritten digits, \
            fetches it as a device would, labels the example pictures, publishes a second version and shows the device \
            update to it. Nothing is left behind.
            """)

    @Option(help: ArgumentHelp("The package's Models folder.", valueName: "folder"))
    var models = "Models"

    func run() throws {
        guard FileManager.default.fileExists(atPath: models + "/digits-labeler") else {
            throw CommandFailure(
                "There is no folder \(models)/digits-labeler: run the demo in the checkout, or give --models.")
        }
        let interruption = DemoInterruption()
        // A reader that goes away must not end the program before it has tidied up.
        signal(SIGPIPE, SIG_IGN)
        // A parent that ignores SIGCHLD passes that on, and the server could not be waited for.
        signal(SIGCHLD, SIG_DFL)
        do {
            try show(interruption)
        } catch {
            // What fails after a signal fails because of it.
            try interruption.check()
            throw error
        }
    }

    private func show(_ interruption: DemoInterruption) throws {
        let started = ContinuousClock.now
        let folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("hearth-demo-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let examples = try DemoExamples(folder: models + "/digits-labeler/examples")
        let server = try DemoServer(dataFolder: folder.appendingPathComponent("server").path, interruption)
        defer { server.stop() }
        try DemoRun(
            server: server, examples: examples, storeFolder: folder.appendingPathComponent("device").path,
            firstModel: models + "/digits-labeler", secondModel: models + "/digits-labeler-2",
            interruption: interruption
        ).run()
        try server.stopCleanly()
        let seconds = (ContinuousClock.now - started).seconds
        Output.line(
            """

            All of it worked, in \(String(format: "%.1f", seconds)) s; the server has stopped.

            Next, label a photo of your own with a .tflite that you bring:
              .build/release/hearth label MODEL.tflite PHOTO.jpg
            or host it: .build/release/hearth serve, and then .build/release/hearth models push --help
            """)
    }
}

extension Duration {
    var seconds: Double { Double(components.seconds) + Double(components.attoseconds) / 1e18 }
    var milliseconds: Double { seconds * 1000 }
}
