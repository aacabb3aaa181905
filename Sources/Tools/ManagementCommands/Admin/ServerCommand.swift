import HearthAdmin
import HearthArguments
import HearthCalls
import HearthLocalCommands
import HearthWire

struct ServerCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "server",
        abstract: "Show the state of the server: disks, queue, last backup, versions and settings.",
        discussion: "Operators see all of it, others the version and the address for devices.",
        examples: [
            "hearth admin server",
            "hearth admin server --settings",
            "hearth admin server --json",
        ])

    @Flag(help: "Also show all settings, and where their values come from.")
    var settings = false

    @OptionGroup var tables: TableOption
    @OptionGroup var admin: AdminOptions

    func run() throws {
        let status = try admin.client().serverStatus()
        if admin.json { return try Output.json(status) }
        for (name, value) in ServerStatusText.lines(status) {
            Output.line("\(name):" + String(repeating: " ", count: max(1, 18 - name.count)) + value)
        }
        guard settings else { return }
        guard let all = status.settings else {
            throw CommandFailure("Only operators see the settings.")
        }
        var table = TextTable(["SETTING", .text("VALUE", isTruncatable: true), .text("FROM", dropOrder: 1)])
        for setting in all { table.append([setting.name, setting.value, setting.source]) }
        Output.line("\n" + table.text(width: tables.width))
    }
}

/// The state of a server for readers.
enum ServerStatusText {
    static func lines(_ status: ServerBodies.Status) -> [(name: String, value: String)] {
        var lines = [("version", "Hearth \(status.version)")]
        if let engine = status.engine { lines.append(("engine", engine)) }
        if let schema = status.schema { lines.append(("schema", "\(schema)")) }
        if let database = status.database { lines.append(("database", database)) }
        if let store = status.modelStore { lines.append(("model store", store)) }
        lines.append(("running since", "\(TimeArgument.short(status.startTime)) UTC"))
        lines.append(("devices use", status.deviceUrl ?? ""))
        lines.append(("console", status.console ? "on" : "off"))
        for folder in status.folders ?? [] { lines.append(("\(folder.name) folder", text(folder))) }
        if let count = status.validationQueue {
            lines.append(("validation", "\(count) waiting or running, \(status.runningProbes ?? 0) running"))
        }
        if let count = status.validationGivenUp, count > 0 {
            lines.append(("not validated", "\(count); the log says why"))
        }
        if let count = status.connections { lines.append(("connections", "\(count)")) }
        if let count = status.updateStreams { lines.append(("update streams", "\(count)")) }
        if let count = status.consoleSessions { lines.append(("console sessions", "\(count)")) }
        if status.schema != nil {
            let backup = status.lastBackupTime.map { "\(TimeArgument.short($0)) UTC" }
            lines.append(("last backup", backup ?? "none known; run hearth admin backup"))
        }
        if let count = status.deferredRemovals, count > 0 {
            lines.append(("removals", "\(count) wait for hearth admin clean"))
        }
        lines += (status.problems ?? []).map { ("problem", $0) } + (status.notes ?? []).map { ("note", $0) }
        return lines.map { (name: $0.0, value: $0.1) }
    }

    private static func text(_ folder: ServerBodies.Folder) -> String {
        guard let free = folder.freeBytes.flatMap(UInt64.init) else { return folder.path }
        let size = folder.sizeBytes.flatMap(UInt64.init).map { " of \(ByteCount.text($0))" } ?? ""
        return "\(folder.path), \(ByteCount.text(free))\(size) free"
    }
}
