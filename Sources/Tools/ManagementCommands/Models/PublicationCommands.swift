import HearthAdmin
import HearthArguments
import HearthCalls
import HearthLocalCommands
import HearthWire

struct PublishCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "publish",
        abstract: "Give a version of a model to all devices.",
        discussion: "To reach only a share of the devices, or devices that meet conditions: hearth releases create.",
        examples: [
            "hearth models publish flowers",
            "hearth models publish flowers --version 2",
        ])

    @OptionGroup var model: ModelName

    @Option(
        help: ArgumentHelp("Version to publish: a number or an alias. Default: the newest.", valueName: "version"))
    var version: VersionArgument?

    @Flag(help: "Publish a version with other inputs, outputs or labels, although the model refuses that.")
    var allowContractChange = false

    @Flag(help: "Publish a version that crashed the engine when the server ran it.")
    var allowCrashing = false

    @Flag(help: "Publish a version whose rehearsal is missing, or shows less than the model requires.")
    var allowFailedRehearsal = false

    @OptionGroup var admin: AdminOptions

    func run() throws {
        let client = try admin.client()
        let publication = ModelPublication(client: client)
        let found = try model.find(client)
        let name = try found.resourceName()
        // Publishing ends them, and its answer does not name them.
        let rollouts = try client.releases(of: name).filter {
            $0.state != "ended" && !ReleaseSummary($0).reachesAllDevices
        }
        guard version != nil || allowContractChange || allowCrashing || allowFailedRehearsal else {
            let changed = try publication.set(true, found)
            return try report(changed, isUnchanged: changed.hearth?.alreadyPublished == true, ending: rollouts)
        }
        let release = try client.createRelease(
            of: name,
            ReleaseBodies.CreateRequest(
                version: version?.number(of: name, client), allowContractChange: allowContractChange ? true : nil,
                allowCrashing: allowCrashing ? true : nil, allowFailedRehearsal: allowFailedRehearsal ? true : nil))
        try report(
            client.model(name), isUnchanged: release.unchanged == true, ending: rollouts, changes: release.warnings)
    }

    private func report(
        _ model: ModelResource, isUnchanged: Bool, ending rollouts: [ReleaseBodies.Release], changes: [String]? = nil
    ) throws {
        if admin.json { return try Output.json(model) }
        for change in changes ?? model.hearth?.contractChanges ?? [] { Output.note("warning: \(change.printable)") }
        let version = model.hearth?.releasedVersion.map { " version \($0)" } ?? ""
        guard !isUnchanged else {
            return Output.line("Nothing changed: all devices already get '\(self.model.name)'\(version).")
        }
        Output.success("Published '\(self.model.name)'\(version).")
        for rollout in rollouts { Output.line(EndedReleases.line(rollout)) }
    }
}

struct UnpublishCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "unpublish",
        abstract: "Stop giving a model to devices, and end its releases. Devices keep their copies.",
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

/// Publishes a model's newest version, or unpublishes the model.
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
            throw CommandFailure(
                "\(refusal.hasSuffix(".") ? String(refusal.dropLast()) : refusal): \(detail)", cause: error)
        }
    }
}
