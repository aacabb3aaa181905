import HearthAdmin
import HearthArguments
import HearthCalls
import HearthLocalCommands

struct ModelTagCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "tag", abstract: "Add tags to a model, or remove tags.",
        examples: [
            "hearth models tag flowers beta garden",
            "hearth models tag flowers --remove beta",
        ])

    @OptionGroup var model: ModelName

    @Argument(help: "Tags to add.")
    var tags: [String] = []

    @Option(help: ArgumentHelp("Tag to remove. May be given several times.", valueName: "tag"))
    var remove: [String] = []

    @OptionGroup var admin: AdminOptions

    func validate() throws {
        guard !tags.isEmpty || !remove.isEmpty else { throw ValidationError("Give tags to add, or --remove TAG.") }
        for tag in tags + remove { try ModelTags.check(tag) }
    }

    func run() throws {
        let client = try admin.client()
        let found = try model.find(client)
        var body = ModelResource()
        body.tags = ModelTags.changed(found.tags ?? [], adding: tags, removing: remove)
        let changed = try client.updateModel(try found.resourceName(), body, mask: "tags")
        if admin.json { return try Output.json(changed) }
        let left = (changed.tags ?? []).joined(separator: ", ")
        Output.success(
            left.isEmpty ? "'\(model.name)' has no tags now." : "The tags of '\(model.name)' are now: \(left)")
    }
}

extension ModelTags {
    static func check(_ tag: String) throws(ValidationError) {
        do {
            try ModelName.check(tag)
        } catch {
            throw ValidationError("A tag must have 1 to 32 letters, digits, hyphens or underscores: '\(tag)'.")
        }
    }
}

struct ModelRenameCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rename",
        abstract: "Give a model another name. Apps that ask for the old name get nothing any more.",
        examples: ["hearth models rename flowers garden-flowers"])

    @OptionGroup var model: ModelName

    @Argument(help: "The new name.")
    var newName: String

    @OptionGroup var admin: AdminOptions

    func validate() throws { try ModelName.check(newName) }

    func run() throws {
        let client = try admin.client()
        var body = ModelResource()
        body.displayName = newName
        let changed = try client.updateModel(model.find(client).resourceName(), body, mask: "displayName")
        if admin.json { return try Output.json(changed) }
        Output.success("Renamed '\(model.name)' to '\(newName)'.")
    }
}

struct ModelDeleteCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "delete", abstract: "Delete a model and all its versions. Devices keep their copies.",
        examples: [
            "hearth models delete flowers",
            "hearth models delete flowers --yes",
        ])

    @OptionGroup var model: ModelName
    @OptionGroup var confirmation: ConfirmationOption
    @OptionGroup var admin: AdminOptions

    func run() throws {
        let client = try admin.client()
        let found = try model.find(client)
        let versions = found.hearth?.version ?? 0
        try confirmation.require(
            "Delete '\(model.name)' and its \(versions == 1 ? "only version" : "\(versions) versions")?")
        try client.deleteModel(try found.resourceName())
        if admin.json { return try Output.json(["deleted": model.name]) }
        Output.success("Deleted '\(model.name)'.")
    }
}
