import Foundation
import Glibc
import HearthAdmin
import HearthArguments
import HearthCalls
import HearthDelivery
import HearthLocalCommands
import HearthManagementCommands
import HearthWire

struct DemoCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: CommandSummary.demo.name,
        abstract: CommandSummary.demo.abstract,
        discussion: """
            Starts a server on a free port in a temporary folder, publishes a small model of handwritten digits, \
            downloads it as a device does, labels the example images, publishes a second version and shows that the device \
            gets it. Then it does the same with a detector, finds the digits on pages, and draws what it found. \
            Only that image is left afterwards.
            """,
        examples: [
            "hearth demo",
            "hearth demo --models ~/hearth/Models --drawing found.png",
        ])

    @Option(
        help: ArgumentHelp(
            "Folder with the demo's models. Default: Models, else those that were installed with the program.",
            valueName: "folder"))
    var models: String?

    @Option(
        help: ArgumentHelp(
            "Image file for the drawing. Default: hearth-demo.png in the folder for temporary files.", valueName: "file"
        )
    )
    var drawing: String?

    func run() throws {
        let models = modelFolder
        for name in ["digits-labeler", "digits-labeler-2", "digits-detector"] {
            guard FileManager.default.fileExists(atPath: models + "/" + name) else {
                throw CommandFailure(
                    "The folder \(models)/\(name) does not exist: run the demo in the checkout, or give --models.")
            }
        }
        let interruption = DemoInterruption()
        // The program must remove its files before it ends, even if the reader of its output is gone.
        signal(SIGPIPE, SIG_IGN)
        // A parent that ignores SIGCHLD passes that on, and then the demo could not wait for the server.
        signal(SIGCHLD, SIG_DFL)
        do {
            try show(models, interruption)
        } catch {
            // A failure after a signal is caused by it.
            try interruption.check()
            throw error
        }
    }

    private var modelFolder: String {
        if let models { return models }
        let installed = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
            .appendingPathComponent("../../share/hearth/models").standardized.path
        let isInCheckout = FileManager.default.fileExists(atPath: "Models")
        return isInCheckout || !FileManager.default.fileExists(atPath: installed) ? "Models" : installed
    }

    private func show(_ models: String, _ interruption: DemoInterruption) throws {
        let started = ContinuousClock.now
        let temporary = FileManager.default.temporaryDirectory
        let folder = temporary.appendingPathComponent("hearth-demo-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let server = try DemoServer(dataFolder: folder.appendingPathComponent("server").path, interruption)
        defer { server.stop() }
        try DemoRun(
            server: server, models: models, storeFolder: folder.appendingPathComponent("device").path,
            drawing: drawing ?? temporary.appendingPathComponent("hearth-demo.png").path, interruption: interruption
        ).run()
        try server.stopCleanly()
        let seconds = (ContinuousClock.now - started).seconds
        // As the user called it, also in a checkout where it is on no path.
        let program = CommandLine.arguments.first ?? "hearth"
        Output.line("")
        Output.success("All of it worked, in \(String(format: "%.1f", seconds)) s; the server has stopped.")
        Output.line(
            """

            Next, label a photo of your own with your .tflite file, or find objects in it:
              \(program) label MODEL.tflite PHOTO.jpg
              \(program) detect MODEL.tflite PHOTO.jpg --draw FOUND.jpg
            or host the model: \(program) serve, and then \(program) models push --help
            """)
    }
}

extension Duration {
    var seconds: Double { Double(components.seconds) + Double(components.attoseconds) / 1e18 }
    var milliseconds: Double { seconds * 1000 }
}

/// The steps of the demo. A step that fails throws.
struct DemoRun {
    let server: DemoServer
    /// The package's Models folder.
    let models: String
    let storeFolder: String
    /// The path of the drawing, which stays.
    let drawing: String
    let interruption: DemoInterruption

    func run() throws {
        let digits = try DigitExamples(folder: models + "/digits-labeler/examples")
        let pages = try PageExamples(folder: models + "/digits-detector/examples")
        Output.line("A Hearth server runs at \(server.url)\n")
        let admin = AdminClient(
            server.credentials, network: AdminNetwork(ProcessInfo.processInfo.environment),
            onNotice: { Output.note($0.text) })
        // The demo has its own store and server, not the user's.
        setenv("HEARTH_STORE", storeFolder, 1)
        unsetenv("HEARTH_SERVER_URL")
        let steps = DemoSteps(
            admin: admin, device: try DeviceClient(config: server.deviceCredentials), interruption: interruption)
        try LabelingDemo(
            steps: steps, examples: digits, firstModel: models + "/digits-labeler",
            secondModel: models + "/digits-labeler-2"
        ).run()
        try DetectionDemo(steps: steps, examples: pages, model: models + "/digits-detector", drawing: drawing).run()
    }
}
