import HearthArguments
import HearthLocalCommands
import HearthWire

struct PushCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "push",
        abstract: "Upload a file as a model's new version.",
        discussion: """
            FILE is a .tflite file, or an AutoML bundle: its folder, its manifest or its exported zip, which travels as \
            one packed file (see hearth pack). Without --publish nothing changes for devices, unless the model is \
            published already: then a sound new version goes to them at once.
            """)

    @OptionGroup var model: ModelName

    @Argument(help: "The model file or bundle.")
    var file: String

    @Flag(help: "Publish the version.")
    var publish = false

    @OptionGroup var admin: AdminOptions

    func run() throws {
        let client = try admin.client()
        let payload = try PushPayload(file)
        let bar = ProgressBar(label: "Uploading \(model.name)")
        let upload = try client.upload(payload.path, name: payload.name) { bar.update(completed: $0, total: $1) }
        bar.finish()
        let outcome = try ModelPush(client: client).push(model.name, upload: upload, publish: publish)
        if admin.json {
            try Output.json(outcome.model)
        } else {
            report(outcome, upload)
        }
        if let error = upload.validationError {
            throw CommandFailure("'\(model.name)' was stored, but cannot be published: \(error.message)")
        }
    }

    private func report(_ outcome: ModelPush.Outcome, _ upload: UploadResource) {
        let result = outcome.model
        let version = result.hearth?.version ?? 0
        let size = UInt64(upload.sizeBytes).map(ByteCount.text) ?? upload.sizeBytes
        Output.line(
            outcome.isNewVersion
                ? "Pushed '\(model.name)' version \(version): \(size), sha256 \(upload.sha256)"
                : "Nothing new: '\(model.name)' version \(version) has these bytes already.")
        if let warning = upload.warning { Output.note("warning: \(warning)") }
        if PushPayload.leavesLabelsBehind(file) {
            Output.note(
                """
                note: the label file beside it is not part of this model. To host both, make one file of them: \
                hearth pack \(file) -o MODEL.tflite
                """)
        }
        guard upload.validationError == nil else { return }
        if let released = result.hearth?.releasedVersion, released == result.hearth?.version {
            Output.line("Devices get it from now on.")
        } else {
            Output.line("Nothing changed for devices. To publish it: hearth models publish \(model.name)")
        }
    }
}

/// Makes an uploaded file a model's newest version.
struct ModelPush {
    /// What came of it.
    struct Outcome {
        var model: ModelResource
        /// False when the newest version has these very bytes already.
        var isNewVersion: Bool
    }

    let client: AdminClient

    /// The file and its publication go in one call, so that nothing can come between them.
    func push(_ displayName: String, upload: UploadResource, publish: Bool) throws -> Outcome {
        var body = ModelResource()
        body.tfliteModel = .init(gcsTfliteUri: upload.gcsTfliteUri)
        var mask = "tfliteModel.gcsTfliteUri"
        if publish, upload.validationError == nil {
            body.state = .init(published: true)
            mask += ",state.published"
        }
        let known = try client.find(displayName)
        let model: ModelResource
        if let known {
            model = try client.update(try known.resourceName(), body, mask: mask)
        } else {
            body.displayName = displayName
            model = try client.create(body)
        }
        if upload.validationError == nil, model.modelHash != upload.sha256 {
            throw CommandFailure("The server made another file the newest version of '\(displayName)'; push again.")
        }
        return Outcome(model: model, isNewVersion: known?.hearth?.version != model.hearth?.version)
    }
}
