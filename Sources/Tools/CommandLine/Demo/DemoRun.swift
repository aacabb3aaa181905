import Glibc
import HearthLocalCommands

/// The story that the demo tells. Any step that goes wrong throws.
struct DemoRun {
    let server: DemoServer
    /// The package's Models folder.
    let models: String
    let storeFolder: String
    /// Where the picture goes that the user may keep.
    let drawing: String
    let interruption: DemoInterruption

    func run() throws {
        let digits = try DigitExamples(folder: models + "/digits-labeler/examples")
        let pages = try PageExamples(folder: models + "/digits-detector/examples")
        Output.line("A Hearth server runs at \(server.url)\n")
        let admin = AdminClient(.serviceAccount(try AdminCredentials.key(in: server.adminCredentials)))
        // The device's store and server are the demo's own, not the user's.
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
