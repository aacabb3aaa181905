import HearthAdmin
import HearthArguments
import HearthCalls
import HearthCatalog
import HearthLocalCommands
import HearthWire

struct ProjectsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: CommandSummary.projects.name,
        abstract: CommandSummary.projects.abstract,
        examples: [
            "hearth projects list",
            "hearth projects create robots --output robots-credentials",
        ],
        subcommands: [
            ProjectListCommand.self, ProjectCreateCommand.self, ProjectShowCommand.self, ProjectDeleteCommand.self,
        ])
}

struct ProjectListCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List the projects of the credentials.",
        examples: ["hearth projects list"])

    @OptionGroup var tables: TableOption
    @OptionGroup var admin: AdminOptions

    func run() throws {
        let projects = try admin.client().projects()
        if admin.json { return try Output.json(ProjectBodies.List(projects: projects)) }
        var table = TextTable(["PROJECT", .number("NUMBER", dropOrder: 2), .text("CREATED (UTC)", dropOrder: 1)])
        for project in projects {
            table.append([project.projectId, project.projectNumber, TimeArgument.short(project.createTime)])
        }
        Output.line(
            projects.isEmpty ? "There is no project for these credentials." : table.text(width: tables.width))
    }
}

struct ProjectShowCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "Show one project.",
        examples: [
            "hearth projects show",
            "hearth projects show robots --json",
        ])

    @Argument(help: "Id of the project. Default: that of the credentials.")
    var id: String?

    @OptionGroup var admin: AdminOptions

    func run() throws {
        let client = try admin.client()
        let project = try client.project(id ?? client.project())
        if admin.json { return try Output.json(project) }
        Output.line("project:        \(project.projectId)")
        Output.line("number:         \(project.projectNumber)")
        Output.line("created:        \(project.createTime)")
        Output.line("installations:  \(project.installations ?? "-")")
    }
}

struct ProjectDeleteCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "delete",
        abstract: "Delete a project that has no models, with its keys, accounts and uploads.",
        discussion: "Needs the credentials of an operator. The audit log keeps the changes in the project.",
        examples: ["hearth projects delete robots"])

    @Argument(help: "Id of the project.")
    var id: String

    @OptionGroup var confirmation: ConfirmationOption
    @OptionGroup var admin: AdminOptions

    func run() throws {
        let client = try admin.client()
        let installations = try client.project(id).installations ?? "0"
        try confirmation.require(
            "Delete the project '\(id)' with its keys, accounts and uploads? Installations of its apps: \(installations)."
        )
        try client.deleteProject(id)
        if admin.json { return try Output.json(["deleted": id]) }
        Output.success("Deleted the project '\(id)'.")
    }
}
