import HearthArguments
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
        let result = try ModelPush(client: client).push(model.name, upload: upload, publish: publish)
        if admin.json {
            try Output.json(result)
        } else {
            report(result, upload)
        }
        if let error = upload.validationError {
            throw CommandFailure("'\(model.name)' was stored, but cannot be published: \(error.message)")
        }
    }

    private func report(_ result: ModelResource, _ upload: UploadResource) {
        let size = UInt64(upload.sizeBytes).map(ByteCount.text) ?? upload.sizeBytes
        Output.line("Pushed '\(model.name)' version \(result.hearth?.version ?? 0): \(size), sha256 \(upload.sha256)")
        if let warning = upload.warning { Output.note("warning: \(warning)") }
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
    let client: AdminClient

    func push(_ displayName: String, upload: UploadResource, publish: Bool) throws -> ModelResource {
        var body = ModelResource()
        body.tfliteModel = .init(gcsTfliteUri: upload.gcsTfliteUri)
        var model: ModelResource
        if let known = try client.find(displayName) {
            model = try client.update(try known.resourceName(), body, mask: "tfliteModel.gcsTfliteUri")
        } else {
            body.displayName = displayName
            model = try client.create(body)
        }
        guard publish, upload.validationError == nil else { return model }
        var state = ModelResource()
        state.state = .init(published: true)
        model = try client.update(try model.resourceName(), state, mask: "state.published")
        return model
    }
}
