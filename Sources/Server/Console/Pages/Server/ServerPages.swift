import HearthCalls
import HearthWire

/// The state of the server. The API gives all of it to operators, and to others the version.
enum ServerPages {
    static let routes: [ConsoleRoute] = [.page("server", show)]

    private static func show(_ request: PageRequest) throws -> Page {
        let status = try request.api.call(ServerCalls.status)
        return Page("Server", .server, commands: ["hearth admin server --settings"], isLive: status.schema != nil) {
            section(.id("server-state"), Attribute("data-live", if: status.schema != nil)) {
                problems(status)
                facts(status)
                folders(status)
            }
            if status.schema == nil {
                p(.class("faint")) { "Operators of the server see its disks, its queue and its settings here." }
            } else {
                h2 { "For operators" }
                ul {
                    li { a(request.site.link("audit")) { "Audit log of the whole server" } }
                    li { a(request.site.link("server", "tokens")) { "Tokens of the whole server" } }
                    li { a(request.site.link("account")) { "Sessions of the console" } }
                }
                settings(status)
            }
        }
    }

    @MarkupBuilder
    private static func problems(_ status: ServerBodies.Status) -> Markup {
        if let problems = status.problems {
            div(.class("problem"), Attribute("role", "alert")) {
                p { strong { "The server is not ready." } }
                ul { problems.map { text in li { text } } }
            }
        }
        if let notes = status.notes {
            div(.class("hint")) { ul { notes.map { text in li { text } } } }
        }
    }

    private static func facts(_ status: ServerBodies.Status) -> Markup {
        .joined {
            h2 { "State" }
            dl(.class("facts")) {
                fact("Version", .text("Hearth \(status.version)"))
                fact("Engine", status.engine.map { .text($0) })
                fact("Schema of the database", status.schema.map { .text("\($0)") })
                fact("Database", status.database.map { place in code { place } })
                fact("Model store", status.modelStore.map { place in code { place } })
                fact("Running since", Times.moment(status.startTime))
                fact("Address for devices", status.deviceUrl.map { url in code { url } })
                fact("Validation queue", status.validationQueue.map { queue($0, status) })
                fact("Not validated", status.validationGivenUp.flatMap { $0 == 0 ? nil : givenUp($0) })
                fact("Open connections", status.connections.map { .text(NumberText.count($0)) })
                fact("Devices that wait for updates", status.updateStreams.map { .text(NumberText.count($0)) })
                fact("Console sessions", status.consoleSessions.map { .text(NumberText.count($0)) })
                if status.schema != nil { fact("Last backup", backup(status)) }
                fact("Removals that wait", status.deferredRemovals.flatMap { $0 == 0 ? nil : deferred($0) })
            }
        }
    }

    @MarkupBuilder
    private static func fact(_ name: String, _ value: Markup?) -> Markup {
        if let value {
            dt { name }
            dd { value }
        }
    }

    private static func queue(_ count: Int, _ status: ServerBodies.Status) -> Markup {
        guard count > 0 else { return .text("empty") }
        return .text("\(NumberText.count(count, "file")), \(status.runningProbes ?? 0) of them in a probe now")
    }

    private static func givenUp(_ count: Int) -> Markup {
        .joined {
            Badge.mark(NumberText.count(count, "file"), .warning)
            " This machine could not validate them; the log says why."
        }
    }

    private static func deferred(_ count: Int) -> Markup {
        .joined {
            Badge.mark(NumberText.count(count), .warning)
            " Run "
            code { "hearth admin clean" }
            " on the server's machine."
        }
    }

    private static func backup(_ status: ServerBodies.Status) -> Markup {
        guard let time = status.lastBackupTime else {
            return .joined {
                Badge.mark("none known", .warning)
                " Run "
                code { "hearth admin backup" }
                " on the server's machine, for example every night."
            }
        }
        return Times.moment(time)
    }

    @MarkupBuilder
    private static func folders(_ status: ServerBodies.Status) -> Markup {
        if let folders = status.folders {
            h2 { "Disks" }
            DataTable("Free space for the server's folders", ["Folder", "Path", "Free", "Size", "Free share"])
                .rows(folders) { folder in
                    let (free, size) = (folder.freeBytes.flatMap(Int64.init), folder.sizeBytes.flatMap(Int64.init))
                    return [
                        .text(folder.name), code { folder.path }, .text(free.map(NumberText.bytes) ?? "unknown"),
                        .text(size.map(NumberText.bytes) ?? "unknown"), share(free, size),
                    ]
                }
        }
    }

    private static func share(_ free: Int64?, _ size: Int64?) -> Markup {
        guard let free, let size, size > 0 else { return .text("–") }
        let share = Double(free) / Double(size)
        return Badge.mark(NumberText.percent(share), share < 0.05 ? .bad : share < 0.15 ? .warning : .good)
    }

    @MarkupBuilder
    private static func settings(_ status: ServerBodies.Status) -> Markup {
        if let settings = status.settings {
            h2 { "Settings" }
            p {
                "They change at the next start: on the command line of the server, in its environment, or in its file."
            }
            let changed = settings.filter { $0.source != "default" }
            if changed.isEmpty {
                p { "All settings have their defaults." }
            } else {
                table("Settings that were changed", changed)
            }
            details {
                summary { "All \(NumberText.count(settings.count, "setting"))" }
                table("All settings", settings)
            }
        }
    }

    private static func table(_ title: String, _ settings: [ServerBodies.Setting]) -> Markup {
        DataTable(title, ["Setting", "Value", "From", "What it does"]).rows(settings) { setting in
            [
                code { setting.name }, setting.value.isEmpty ? .text("–") : code { setting.value },
                .text(setting.source), .text(setting.summary),
            ]
        }
    }
}
