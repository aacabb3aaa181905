import HearthAdmin
import HearthArguments
import HearthLocalCommands
import HearthWire

struct PublishCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "publish",
        abstract: "Give a version of a model to all devices.",
        discussion: "For a share of the devices, or for those that meet conditions: hearth releases create.",
        examples: [
            "hearth models publish flowers",
            "hearth models publish flowers --version 2",
        ])

    @OptionGroup var model: ModelName

    @Option(help: ArgumentHelp("Version to publish. Default: the newest.", valueName: "number"))
    var version: Int?

    @Flag(help: "Publish it although its inputs, outputs or labels differ and the model refuses that.")
    var allowContractChange = false

    @Flag(help: "Release it although it crashed the engine when the server ran it.")
    var allowCrashing = false

    @OptionGroup var admin: AdminOptions

    func validate() throws {
        if let version, version < 1 { throw ValidationError("Versions are numbered from 1 on.") }
    }

    func run() throws {
        let client = try admin.client()
        let publication = ModelPublication(client: client)
        let found = try model.find(client)
        let name = try found.resourceName()
        guard version != nil || allowContractChange || allowCrashing else {
            let changed = try publication.set(true, found)
            return try report(changed, isUnchanged: changed.hearth?.alreadyPublished == true)
        }
        let release = try client.createRelease(
            of: name,
            ReleaseBodies.CreateRequest(
                version: version, allowContractChange: allowContractChange ? true : nil,
                allowCrashing: allowCrashing ? true : nil))
        try report(client.model(name), isUnchanged: release.unchanged == true, changes: release.warnings)
    }

    private func report(_ model: ModelResource, isUnchanged: Bool, changes: [String]? = nil) throws {
        if admin.json { return try Output.json(model) }
        for change in changes ?? model.hearth?.contractChanges ?? [] { Output.note("warning: \(change.printable)") }
        let version = model.hearth?.releasedVersion.map { " version \($0)" } ?? ""
        guard !isUnchanged else {
            return Output.line("Nothing changed: all devices get '\(self.model.name)'\(version) already.")
        }
        Output.success("Published '\(self.model.name)'\(version).")
    }
}

struct UnpublishCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "unpublish",
        abstract: "Give a model to devices no more, and end its releases. Devices keep what they have.",
        examples: ["hearth models unpublish flowers"])

    @OptionGroup var model: ModelName
    @OptionGroup var confirmation: ConfirmationOption
    @OptionGroup var admin: AdminOptions

    func run() throws {
        let client = try admin.client()
        let found = try model.find(client)
        try confirmation.require("Unpublish '\(model.name)' and end its releases?")
        let changed = try ModelPublication(client: client).set(false, found)
        if admin.json { return try Output.json(changed) }
        Output.success("Unpublished '\(model.name)'.")
    }
}

/// Publishing a model's newest version, and its opposite.
private struct ModelPublication {
    let client: AdminClient

    func set(_ isPublished: Bool, _ found: ModelResource) throws -> ModelResource {
        var body = ModelResource()
        body.state = .init(published: isPublished)
        do {
            return try client.updateModel(try found.resourceName(), body, mask: "state.published")
        } catch {
            // The server's refusal does not say what is wrong with the file.
            guard isPublished, let detail = found.hearth?.validationDetail else { throw error }
            let refusal = "\(error)"
            throw CommandFailure("\(refusal.hasSuffix(".") ? String(refusal.dropLast()) : refusal): \(detail)")
        }
    }
}
