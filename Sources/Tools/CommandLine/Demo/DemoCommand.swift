import Foundation
import HearthArguments

struct DemoCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "demo",
        abstract: "Show the whole way of a model: publish, fetch, label, update.",
        discussion: """
            Starts a server on a free port in a temporary folder, publishes a small model of handwritten digits, \
            fetches it as a device would, labels the example pictures, publishes a second version and shows the device \
            update to it. Nothing is left behind.
            """)

    @Option(help: ArgumentHelp("The package's Models folder.", valueName: "folder"))
    var models = "Models"

    func run() throws {
        let started = ContinuousClock.now
        let folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("hearth-demo-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let examples = try DemoExamples(folder: models + "/digits-labeler/examples")
        let server = try DemoServer(dataFolder: folder.appendingPathComponent("server").path)
        defer { server.stop() }
        try DemoRun(
            server: server, examples: examples, storeFolder: folder.appendingPathComponent("device").path,
            firstModel: models + "/digits-labeler", secondModel: models + "/digits-labeler-2"
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
