import HearthArguments
import HearthCatalog
import HearthLocalCommands
import HearthWire

struct ModelsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: CommandSummary.models.name,
        abstract: CommandSummary.models.abstract,
        subcommands: [
            PushCommand.self, ListCommand.self, ShowCommand.self, PublishCommand.self, UnpublishCommand.self,
            DeleteCommand.self,
        ])
}

/// A model named on the command line.
struct ModelName: ParsableArguments {
    @Argument(help: "Display name of the model.")
    var name: String

    /// The model on the server.
    func find(_ client: AdminClient) throws -> ModelResource {
        try validate()
        guard let model = try client.find(name) else { throw CommandFailure("There is no model '\(name)'.") }
        return model
    }

    func validate() throws {
        guard Names.isDisplayName(name) else {
            throw ValidationError("A model's name has 1 to 32 letters, digits, hyphens or underscores: '\(name)'.")
        }
    }
}

extension ModelResource {
    /// The resource name, which every model that a server answered with has.
    func resourceName() throws(CommandFailure) -> String {
        guard let name else { throw CommandFailure("The server's answer has no model name.") }
        return name
    }
}

struct ListCommand: ParsableCommand {
    static let configuration = CommandConfiguration(commandName: "list", abstract: "List the models.")

    @OptionGroup var admin: AdminOptions

    func run() throws {
        let models = try admin.client().list()
        if admin.json { return try Output.json(ModelList(models: models, nextPageToken: nil)) }
        guard !models.isEmpty else { return Output.line("There is no model yet. Try: hearth models push --help") }
        var table = TextTable(["NAME", .number("VERSION"), "PUBLISHED", .number("SIZE"), "CHANGED (UTC)", "NOTE"])
        for model in models {
            table.append(ModelSummary(model).row)
        }
        Output.line(table.description)
    }
}

struct ShowCommand: ParsableCommand {
    static let configuration = CommandConfiguration(commandName: "show", abstract: "Show one model.")

    @OptionGroup var model: ModelName
    @OptionGroup var admin: AdminOptions

    func run() throws {
        let found = try model.find(admin.client())
        if admin.json { return try Output.json(found) }
        for line in ModelSummary(found).lines { Output.line(line) }
    }
}

struct PublishCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "publish", abstract: "Give a model's newest version to devices.")

    @OptionGroup var model: ModelName
    @OptionGroup var admin: AdminOptions

    func run() throws { try ModelPublication(admin).set(true, model) }
}

struct UnpublishCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "unpublish", abstract: "Give a model to devices no more. Devices keep what they have.")

    @OptionGroup var model: ModelName
    @OptionGroup var admin: AdminOptions

    func run() throws { try ModelPublication(admin).set(false, model) }
}

struct DeleteCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "delete", abstract: "Delete a model and all its versions. Devices keep what they have.")

    @OptionGroup var model: ModelName
    @OptionGroup var admin: AdminOptions

    func run() throws {
        let client = try admin.client()
        let found = try model.find(client)
        try client.delete(try found.resourceName())
        if admin.json { return try Output.json(["deleted": model.name]) }
        Output.line("Deleted '\(model.name)'.")
    }
}

/// Publishing and its opposite.
private struct ModelPublication {
    let admin: AdminOptions

    init(_ admin: AdminOptions) { self.admin = admin }

    func set(_ isPublished: Bool, _ name: ModelName) throws {
        let client = try admin.client()
        var body = ModelResource()
        body.state = .init(published: isPublished)
        let found = try name.find(client)
        let model: ModelResource
        do {
            model = try client.update(try found.resourceName(), body, mask: "state.published")
        } catch {
            // The server's refusal does not say what is wrong with the file.
            guard isPublished, let detail = found.hearth?.validationDetail else { throw error }
            let refusal = "\(error)"
            throw CommandFailure("\(refusal.hasSuffix(".") ? String(refusal.dropLast()) : refusal): \(detail)")
        }
        if admin.json { return try Output.json(model) }
        let version = model.hearth?.releasedVersion.map { " version \($0)" } ?? ""
        Output.line(isPublished ? "Published '\(name.name)'\(version)." : "Unpublished '\(name.name)'.")
    }
}
