import Foundation
import HearthAdmin
import HearthArguments
import HearthCalls
import HearthLocalCommands
import HearthWire

struct ConsoleCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: CommandSummary.console.name,
        abstract: CommandSummary.console.abstract,
        examples: [
            "hearth console",
            "hearth console --print",
            "hearth console sessions",
        ],
        subcommands: [
            ConsoleOpenCommand.self, ConsoleSessionsCommand.self, ConsoleRevokeCommand.self, ConsoleShareCommand.self,
            ConsoleLinksCommand.self, ConsoleUnshareCommand.self,
        ],
        defaultSubcommand: ConsoleOpenCommand.self)
}

struct ConsoleOpenCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "open",
        abstract: "Open the console, signed in with the key or token of this command line.",
        discussion: """
            The link works once, within a minute. Without a browser on this machine, or with --print, the command prints the \
            link. A server of another machine needs its setting `console on`.
            """,
        examples: [
            "hearth console open",
            "hearth console open --print",
        ])

    @Flag(name: .customLong("print"), help: "Print the link instead of opening it.")
    var printsLink = false

    @OptionGroup var admin: AdminOptions

    func run() throws {
        let client = try admin.client()
        let code = try client.createSignInCode()
        let link = client.url + code.path
        if admin.json { return try Output.json(["link": link, "expireTime": code.expireTime]) }
        if !printsLink, Browser.open(link) {
            return Output.success("Opened the console of \(client.url) in your browser.")
        }
        Output.note("This link signs you in once, within a minute:")
        Output.line(link)
    }
}

/// The browser of the person at this machine.
enum Browser {
    /// Opens the link. The link is a secret, and other users of the machine can read the arguments of programs, so the
    /// browser gets a file that only this user can read, and which leads to the link. The file is removed when the link is
    /// void: nobody tells when the browser has read it.
    ///
    /// - Parameters:
    ///   - environment: of this program.
    ///   - fileSeconds: how long the file stays.
    /// - Returns: whether a browser was started.
    static func open(
        _ link: String, environment: [String: String] = ProcessInfo.processInfo.environment, fileSeconds: Int = 60
    ) -> Bool {
        let hasDesktop = environment["DISPLAY"] != nil || environment["WAYLAND_DISPLAY"] != nil
        guard hasDesktop, let program = path(of: "xdg-open", environment) else { return false }
        let folder = environment["XDG_RUNTIME_DIR"] ?? NSTemporaryDirectory()
        let file = "\(folder)/hearth-console-\(UUID().uuidString).html"
        let page = """
            <!DOCTYPE html><meta charset="utf-8"><title>Hearth</title><meta http-equiv="refresh" content="0; url=\(escaped(link))">
            """
        guard
            FileManager.default.createFile(
                atPath: file, contents: Data(page.utf8), attributes: [.posixPermissions: 0o600])
        else { return false }
        let process = Process()
        process.executableURL = URL(fileURLWithPath: program)
        process.arguments = [file]
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        do {
            try process.run()
            process.waitUntilExit()
        } catch {
            remove(file, afterSeconds: 0)
            return false
        }
        let isOpen = process.terminationStatus == 0
        remove(file, afterSeconds: isOpen ? fileSeconds : 0)
        return isOpen
    }

    /// Removes the file, later by a process that outlives this one and its terminal.
    private static func remove(_ file: String, afterSeconds seconds: Int) {
        let remover = Process()
        remover.executableURL = URL(fileURLWithPath: "/bin/sh")
        remover.arguments = ["-c", "trap '' HUP; sleep \"$1\"; exec rm -f -- \"$0\"", file, "\(seconds)"]
        remover.standardInput = FileHandle.nullDevice
        remover.standardOutput = FileHandle.nullDevice
        remover.standardError = FileHandle.nullDevice
        if seconds > 0, (try? remover.run()) != nil { return }
        try? FileManager.default.removeItem(atPath: file)
    }

    private static func path(of program: String, _ environment: [String: String]) -> String? {
        (environment["PATH"] ?? "").split(separator: ":").map { "\($0)/\(program)" }
            .first { FileManager.default.isExecutableFile(atPath: $0) }
    }

    private static func escaped(_ text: String) -> String {
        text.replacing("&", with: "&amp;").replacing("\"", with: "&quot;").replacing("<", with: "&lt;")
    }
}
