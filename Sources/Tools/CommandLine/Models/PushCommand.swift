import Dispatch
import Foundation
import HearthAdmin
import HearthArguments
import HearthConcurrency
import HearthLocalCommands
import HearthTransport
import HearthWire

struct PushCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "push",
        abstract: "Upload a file as a model's new version.",
        discussion: """
            FILE is a .tflite file, or an AutoML bundle: its folder, its manifest or its exported zip, which travels as \
            one packed file (see hearth pack). Without --publish or --share nothing changes for devices.
            Bytes that the newest version has already are not sent again, unless the server has lost them; --again sends \
            them in any case. Large files go in pieces: an upload that breaks \
            off goes on by itself when the server is back, and with --resume in another run.
            """,
        examples: [
            "hearth models push flowers flowers.tflite --publish",
            "hearth models push flowers flowers-bundle.zip --share 10%",
            "hearth models push flowers large.tflite --resume",
        ])

    @OptionGroup var model: ModelName

    @Argument(help: "The model file or bundle.")
    var file: String

    @Flag(help: "Publish the version to all devices.")
    var publish = false

    @Option(
        help: ArgumentHelp("Release the version to a share of the devices, such as 10%.", valueName: "share"))
    var share: String?

    @Option(help: ArgumentHelp("Tag to add to the model. May be given several times.", valueName: "tag"))
    var tag: [String] = []

    @Flag(help: "Release it although its inputs, outputs or labels differ and the model refuses that.")
    var allowContractChange = false

    @Flag(help: "Release it although it crashed the engine when the server ran it.")
    var allowCrashing = false

    @Flag(help: "Go on with an upload that broke off in an earlier run.")
    var resume = false

    @Flag(help: "Send the file even if the newest version has its bytes: they replace a damaged copy on the server.")
    var again = false

    @OptionGroup var admin: AdminOptions

    func validate() throws {
        for tag in tag { try ModelTags.check(tag) }
        _ = try audience()
        guard !publish || share == nil else { throw ValidationError("--publish and --share exclude each other.") }
        guard !allowContractChange || publish || share != nil else {
            throw ValidationError("--allow-contract-change goes with --publish or --share.")
        }
        guard !allowCrashing || publish || share != nil else {
            throw ValidationError("--allow-crashing goes with --publish or --share.")
        }
    }

    func run() throws {
        let interruption = PushInterruption()
        do {
            try push(admin.client(interruption: interruption))
        } catch {
            throw interruption.exitError(of: error)
        }
    }

    private func push(_ client: AdminClient) throws {
        let (outcome, upload) = try outcome(client)
        if admin.json {
            try Output.json(outcome.model)
        } else {
            PushReport(outcome: outcome, upload: upload, name: model.name, file: file).print()
        }
        if let problem = outcome.problem {
            throw CommandFailure("This version is not a valid model and cannot be published: \(problem)")
        }
    }

    /// What the server made of the file, and of the upload; no upload where the newest version has its bytes already.
    func outcome(_ client: AdminClient) throws -> (ModelPush.Outcome, UploadResource?) {
        let payload = try PushPayload(file)
        let push = ModelPush(client: client)
        if !again, let known = try client.findModel(model.name), try payload.isNewest(of: known),
            try client.model(known.resourceName()).hearth?.fileMissing != true
        {
            return (try push.releaseExisting(known, to: audience(), tags: tag), nil)
        }
        let upload = try upload(payload, client)
        return (try push.push(model.name, upload: upload, to: audience(), tags: tag), upload)
    }

    private func upload(_ payload: PushPayload, _ client: AdminClient) throws -> UploadResource {
        let bar = ProgressBar(label: "Uploading \(model.name)")
        defer { bar.finish() }
        let uploader = FileUploader(
            client: client, resumes: resume, progress: { bar.update(completed: $0, total: $1) })
        return try uploader.upload(payload.path, name: payload.name)
    }

    private func audience() throws(ValidationError) -> ModelPush.Target {
        if let share {
            return release(to: try Share.given(share, "--share"))
        }
        if publish && (allowContractChange || allowCrashing) { return release(to: .whole) }
        return publish ? .all : .none
    }

    private func release(to share: Share) -> ModelPush.Target {
        .release(share: share.fraction, allowsContractChange: allowContractChange, allowsCrashing: allowCrashing)
    }
}

/// What a push did, for people to read.
struct PushReport {
    let outcome: ModelPush.Outcome
    /// Nil where nothing was sent.
    let upload: UploadResource?
    let name: String
    let file: String

    func print() {
        let result = outcome.model
        let version = result.hearth?.version ?? 0
        if let upload, outcome.isNewVersion {
            let size = UInt64(upload.sizeBytes).map(ByteCount.text) ?? upload.sizeBytes
            Output.success("Pushed '\(name)' version \(version): \(size), sha256 \(upload.sha256)")
        } else if upload != nil {
            Output.success(
                "Sent again: the server's copy of '\(name)' version \(version) is a new one, with the same bytes.")
        } else {
            Output.line("Nothing new: '\(name)' version \(version) has these bytes already.")
        }
        if let warning = upload?.warning ?? result.hearth?.warning { Output.note("warning: \(warning.printable)") }
        for change in outcome.contractChanges { Output.note("warning: \(change.printable)") }
        if PushPayload.omitsExternalLabels(file) {
            Output.note(
                """
                note: the label file beside it is not part of this model. To host both, make one file of them: \
                hearth pack \(file) -o MODEL.tflite
                """)
        }
        guard outcome.problem == nil else { return }
        if let release = outcome.release {
            ReleaseReport.print(release, "Created")
        } else if let released = result.hearth?.releasedVersion, released == result.hearth?.version {
            Output.line(outcome.isUnchangedForDevices ? "Devices get it already." : "Devices get it from now on.")
        } else {
            Output.line("Nothing changed for devices. To publish it: hearth models publish \(name)")
        }
    }
}

/// Lets SIGINT and SIGTERM end a push in good order, so that the user can be told how to go on. A second signal ends the
/// program at once.
final class PushInterruption: Sendable {
    let cancellation = Cancellation()
    private let stop = Lock<StopSignals.Stop?>(nil)
    /// Up once a signal has come.
    private let flag = DispatchSemaphore(value: 0)

    /// To be made before any other thread exists, so that each of them inherits the blocked signals.
    init() {
        let signals = StopSignals()
        Thread { [self] in
            let caught = signals.wait()
            stop.withLock { $0 = caught }
            cancellation.cancel()
            flag.signal()
        }.start()
    }

    /// Waits so many seconds, or until a signal comes.
    func pause(_ seconds: Double) {
        if flag.wait(timeout: .now() + seconds) == .success { flag.signal() }
    }

    /// What an error means: after a signal it is told, and the exit code tells of the signal.
    func exitError(of error: any Error) -> any Error {
        guard let stop = stop.withLock({ $0 }) else { return error }
        Output.error(error)
        return ExitCode(stop.exitCode)
    }
}
