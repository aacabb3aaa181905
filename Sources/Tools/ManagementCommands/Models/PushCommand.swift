import HearthAdmin
import HearthArguments
import HearthCalls
import HearthLocalCommands
import HearthTransport
import HearthWire

struct PushCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "push",
        abstract: "Upload a file as a new version of a model.",
        discussion: """
            FILE is a .tflite file, or an AutoML bundle: its folder, its manifest or its exported zip. A bundle is sent as \
            one packed file. Labels, and how images go into the model, are written into the file before it is sent, if \
            the options state them (see hearth pack). Without --publish or --share nothing changes for devices.
            If the newest version already has the same bytes, the command does not send them again, unless the server has lost \
            them; --again always sends them. Large files are sent in parts. An interrupted upload continues automatically \
            when the server is back, and with --resume in a later run.
            """,
        examples: [
            "hearth models push flowers flowers.tflite --publish",
            "hearth models push flowers flowers-bundle.zip --share 10% --note \"retrained on May's images\"",
            "hearth models push cats model_unquant.tflite --labels labels.txt --normalize 127.5,127.5",
        ])

    @OptionGroup var model: ModelName

    @Argument(help: "The model file or bundle.")
    var file: String

    @OptionGroup var processing: ProcessingOptions

    @Flag(help: "Publish the version to all devices.")
    var publish = false

    @Option(
        help: ArgumentHelp("Release the version to this share of the devices, such as 10%.", valueName: "share"))
    var share: String?

    @Option(help: ArgumentHelp("Tag to add to the model. May be given several times.", valueName: "tag"))
    var tag: [String] = []

    @Option(help: ArgumentHelp("Note about the version: one line, at most 500 bytes.", valueName: "text"))
    var note: String?

    @Flag(help: "Release a version with other inputs, outputs or labels, although the model refuses that.")
    var allowContractChange = false

    @Flag(help: "Release a version that crashed the engine when the server ran it.")
    var allowCrashing = false

    @Flag(help: "Release a version whose rehearsal is missing, or shows less than the model requires.")
    var allowFailedRehearsal = false

    @Flag(help: "Continue an upload that an earlier run did not finish.")
    var resume = false

    @Flag(
        help: "Send the file even if the newest version has the same bytes. This replaces a damaged copy on the server."
    )
    var again = false

    @OptionGroup var admin: AdminOptions

    func validate() throws {
        for tag in tag { try ModelTags.check(tag) }
        if let note { try NoteText.check(note) }
        _ = try audience()
        guard !publish || share == nil else { throw ValidationError("Give --publish or --share, not both.") }
        guard !allowContractChange || publish || share != nil else {
            throw ValidationError("--allow-contract-change needs --publish or --share.")
        }
        guard !allowCrashing || publish || share != nil else {
            throw ValidationError("--allow-crashing needs --publish or --share.")
        }
        guard !allowFailedRehearsal || publish || share != nil else {
            throw ValidationError("--allow-failed-rehearsal needs --publish or --share.")
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
            PushReport(
                outcome: outcome, upload: upload, name: model.name,
                omitsLabels: !processing.isStated && PushPayload.omitsExternalLabels(file)
            ).print()
            if upload == nil, note != nil { Output.success("It has the note now.") }
        }
        if let problem = outcome.problem {
            throw CommandFailure("This version is not a valid model and cannot be published: \(problem)")
        }
    }

    /// What the server made of the file and of the upload; no upload if the newest version already has the bytes.
    func outcome(_ client: AdminClient) throws -> (ModelPush.Outcome, UploadResource?) {
        let payload = try PushPayload(file, processing)
        let push = ModelPush(client: client)
        if !again, let known = try client.findModel(model.name), try payload.isNewest(of: known),
            try client.model(known.resourceName()).hearth?.fileMissing != true
        {
            return (try push.releaseExisting(known, to: audience(), tags: tag, note: note), nil)
        }
        let upload = try upload(payload, client)
        return (try push.push(model.name, upload: upload, to: audience(), tags: tag, note: note), upload)
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
        if publish && (allowContractChange || allowCrashing || allowFailedRehearsal) { return release(to: .whole) }
        return publish ? .all : .none
    }

    private func release(to share: Share) -> ModelPush.Target {
        .release(
            share: share.fraction, allowsContractChange: allowContractChange, allowsCrashing: allowCrashing,
            allowsFailedRehearsal: allowFailedRehearsal)
    }
}

/// The result of a push as text.
struct PushReport {
    let outcome: ModelPush.Outcome
    /// Nil if nothing was sent.
    let upload: UploadResource?
    let name: String
    /// Whether a label file beside the model was not sent.
    let omitsLabels: Bool

    func print() {
        let result = outcome.model
        let version = result.hearth?.version ?? 0
        if let upload, outcome.isNewVersion {
            let size = UInt64(upload.sizeBytes).map(ByteCount.text) ?? upload.sizeBytes
            Output.success("Pushed '\(name)' version \(version): \(size), sha256 \(upload.sha256)")
        } else if upload != nil {
            Output.success(
                "Sent again: the server has a new copy of '\(name)' version \(version), with the same bytes.")
        } else {
            Output.line("Nothing new: '\(name)' version \(version) already has these bytes.")
        }
        if let warning = upload?.warning ?? result.hearth?.warning { Output.note("warning: \(warning.printable)") }
        for change in outcome.contractChanges { Output.note("warning: \(change.printable)") }
        if omitsLabels {
            Output.note(
                """
                note: the label file beside it is not part of this model. To host both, name it with --labels.
                """)
        }
        guard outcome.problem == nil else { return }
        if let release = outcome.release {
            ReleaseReport.print(release, "Created")
        } else if let released = result.hearth?.releasedVersion, released == result.hearth?.version {
            Output.line(outcome.isUnchangedForDevices ? "Devices already get it." : "Devices get it from now on.")
        } else {
            Output.line("Nothing changed for devices. To publish it: hearth models publish \(name)")
        }
    }
}
