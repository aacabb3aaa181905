import HearthAdmin
import HearthArguments
import HearthCalls
import HearthLocalCommands
import HearthWire

struct ConsoleSessionsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sessions", abstract: "List the browsers that are signed in.",
        examples: ["hearth console sessions"])

    @OptionGroup var tables: TableOption
    @OptionGroup var admin: AdminOptions

    func run() throws {
        let sessions = try admin.client().consoleSessions()
        if admin.json { return try Output.json(ConsoleBodies.SessionList(sessions: sessions)) }
        guard !sessions.isEmpty else { return Output.line("No browser is signed in.") }
        var table = TextTable([
            "SESSION", "WHO", .text("ADDRESS", dropOrder: 1), .text("LAST USED (UTC)", dropOrder: 2),
            .text("BROWSER", dropOrder: 3),
        ])
        for session in sessions {
            table.append([
                session.id, session.actor, session.address, TimeArgument.short(session.useTime), session.browser,
            ])
        }
        Output.line(table.text(width: tables.width))
    }
}

struct ConsoleRevokeCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "revoke", abstract: "Sign a browser out of the console.",
        examples: ["hearth console revoke 5b1e0c9a3d7f2468"])

    @Argument(help: "Id of the session.")
    var id: String

    @OptionGroup var admin: AdminOptions

    func run() throws {
        try admin.client().revokeConsoleSession(id)
        if admin.json { return try Output.json(RevocationReport(id)) }
        Output.success("Revoked the session \(id).")
    }
}

struct ConsoleShareCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "share",
        abstract: "Make a link that shows one release or experiment to whoever has it.",
        discussion: "The link lets its readers change nothing. The server shows it only once.",
        examples: [
            "hearth console share --model flowers --release 4",
            "hearth console share --experiment colours --lifetime 14d",
        ])

    @Option(help: ArgumentHelp("Model of the release.", valueName: "model"))
    var model: String?

    @Option(help: ArgumentHelp("Number of the release.", valueName: "number"))
    var release: Int?

    @Option(help: ArgumentHelp("Name of the experiment.", valueName: "name"))
    var experiment: String?

    @Option(help: ArgumentHelp("Time until the link ends, at most 90d. Default: 7d.", valueName: "time"))
    var lifetime: DurationArgument?

    @OptionGroup var admin: AdminOptions

    func validate() throws {
        guard (model == nil) == (release == nil), (model == nil) != (experiment == nil) else {
            throw ValidationError("Give --model and --release, or --experiment.")
        }
    }

    func run() throws {
        let client = try admin.client()
        var link = try share(client)
        let address = client.url + (link.path ?? "")
        if admin.json {
            link.path = address
            return try Output.json(link)
        }
        Output.note("Whoever has this link sees the page until \(TimeArgument.short(link.expireTime)) UTC:")
        Output.line(address)
    }

    private func share(_ client: AdminClient) throws -> ConsoleBodies.SharedLink {
        if let experiment {
            return try client.shareExperiment(experiment, lifetimeSeconds: lifetime?.seconds)
        }
        let found = try ModelName.find(model ?? "", client)
        let id = (found.name ?? "").split(separator: "/").last.map(String.init) ?? ""
        return try client.shareRelease(release ?? 0, of: id, lifetimeSeconds: lifetime?.seconds)
    }
}

struct ConsoleLinksCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "links", abstract: "List the links that show single pages.",
        examples: ["hearth console links"])

    @OptionGroup var tables: TableOption
    @OptionGroup var admin: AdminOptions

    func run() throws {
        let links = try admin.client().sharedLinks()
        if admin.json { return try Output.json(ConsoleBodies.SharedLinkList(sharedLinks: links)) }
        guard !links.isEmpty else { return Output.line("There is no link.") }
        var table = TextTable([
            "LINK", "SHOWS", .text("MADE BY", dropOrder: 1), .text("ENDS (UTC)", dropOrder: 2),
        ])
        for link in links {
            let shown =
                link.experiment.map { "experiment \($0)" }
                ?? "release \(link.release ?? 0) of model \(link.model ?? "")"
            table.append([link.id, shown, link.createdBy, TimeArgument.short(link.expireTime)])
        }
        Output.line(table.text(width: tables.width))
    }
}

struct ConsoleUnshareCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "unshare", abstract: "Revoke a link that shows a page.",
        examples: ["hearth console unshare 5b1e0c9a3d7f2468"])

    @Argument(help: "Id of the link.")
    var id: String

    @OptionGroup var admin: AdminOptions

    func run() throws {
        _ = try admin.client().revokeSharedLink(id)
        if admin.json { return try Output.json(RevocationReport(id)) }
        Output.success("Revoked the link \(id).")
    }
}
