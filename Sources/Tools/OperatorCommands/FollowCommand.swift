import Foundation
import Glibc
import HearthAdmin
import HearthArguments
import HearthConcurrency
import HearthLocalCommands
import HearthManagementCommands
import HearthServer
import HearthTransport
import HearthWire

struct FollowCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: CommandSummary.follow.name,
        abstract: CommandSummary.follow.abstract,
        discussion: """
            The follower copies the main server's releases and files, and refuses changes. It needs a token of the main server: \
            hearth keys token create site --server --role mirror. The first start waits until the main server has answered; later \
            ones serve the last copy. SIGTERM and SIGHUP work as with `hearth serve`.

            With --promote the folder of a stopped follower becomes that of a main server.
            """,
        examples: [
            "hearth follow https://models.example.com --data site --token-file mirror.token",
            "hearth follow --promote --data site",
        ])

    @Argument(help: "Address of the main server.")
    var url: String?

    @Option(
        help: ArgumentHelp(
            "File with a token of the role mirror. Default: the token in HEARTH_TOKEN.", valueName: "file"))
    var tokenFile: String?

    @Option(help: ArgumentHelp("Seconds between two questions for changes, from 1 to 3600.", valueName: "number"))
    var pollSeconds: Int = 2

    @Option(
        help: ArgumentHelp(
            "Hours for which the follower answers devices without the main server, from 0 to 8760. Default: 24, or the setting.",
            valueName: "number"))
    var staleServingHours: Int?

    @Flag(help: "Copy the files of all versions, not only of those that devices get: for a standby.")
    var allVersions = false

    @Flag(
        help:
            "Use the state of the main server also if it is older than the copy, or of another server: after a restore."
    )
    var acceptRestored = false

    @Flag(help: "Make a main server's folder of the follower's, and end.")
    var promote = false

    @Flag(help: "Print JSON, with --promote.")
    var json = false

    @OptionGroup(title: LocationSettings.title)
    var place: SettingArguments<LocationSettings>

    @OptionGroup(title: ProxySettings.title)
    var proxies: SettingArguments<ProxySettings>

    @OptionGroup(title: ConnectionSettings.title)
    var connections: SettingArguments<ConnectionSettings>

    @OptionGroup(title: RequestSettings.title)
    var requests: SettingArguments<RequestSettings>

    @OptionGroup(title: LogSettings.title)
    var observation: SettingArguments<LogSettings>

    @Option(name: .customLong("config"), help: ArgumentHelp("File of settings.", valueName: "file"))
    var configurationFile: String?

    func validate() throws {
        guard promote != (url != nil) else {
            throw ValidationError("Give the address of the main server, or --promote.")
        }
        guard (1...3600).contains(pollSeconds) else { throw ValidationError("--poll-seconds is from 1 to 3600.") }
        guard staleServingHours.map({ (0...8760).contains($0) }) ?? true else {
            throw ValidationError("--stale-serving-hours is from 0 to 8760.")
        }
    }

    func run() throws {
        let configuration = try ServerProcess.settings(
            [place.given, proxies.given, connections.given, requests.given, observation.given], file: configurationFile
        ).configuration
        if promote { return try promote(configuration.dataFolder) }
        let options = try options(configuration, ProcessInfo.processInfo.environment)
        let signals = ServerProcess.begin()
        let files = OpenFileLimit.ofProcess.raised(for: configuration.connections)
        try follow(Started(try Follower(configuration, options, files: files)), until: signals)
    }

    /// `@unchecked Sendable`: the thread that starts the follower uses it until `ended` is signalled, then the main thread does. `reload`
    /// is the only exception, and the main thread calls it only after the start.
    private final class Started: @unchecked Sendable {
        let follower: Follower
        let ended = DispatchSemaphore(value: 0)
        let result = Lock<Result<String?, any Error>?>(nil)

        init(_ follower: Follower) { self.follower = follower }
    }

    private func follow(_ started: Started, until signals: StopSignals) throws {
        let stop = started.follower.stopper
        let log = started.follower.log
        Thread.detachNewThread {
            let result = Result { try started.follower.start() }
            if case .success(let url?) = result {
                Output.line(log.startupLine("Hearth follows and is serving at \(url)"))
            }
            started.result.withLock { $0 = result }
            started.ended.signal()
            // The main thread waits for a signal.
            if case .failure = result { kill(getpid(), SIGTERM) }
        }
        let signal = signals.wait { _ in
            guard started.result.withLock({ $0 != nil }) else { return }
            started.follower.reload()
        }
        // A start that still waits for the main server ends.
        if started.result.withLock({ $0 == nil }) { stop() }
        started.ended.wait()
        if case .failure(let error) = started.result.withLock({ $0 }) { throw error }
        log.notice("Stopping (\(signal.name)).")
        started.follower.stop()
    }

    private func promote(_ folder: String) throws {
        let result = try Promotion(dataFolder: folder).run()
        if json { return try Output.json(result) }
        Output.success(
            """
            \(result.folder) is now the folder of a main server, with \(result.projects) projects, \(result.models) models and \
            \(result.versions) versions as of revision \(result.revision) of \(result.main).
            """)
        if !result.versionsWithoutFile.isEmpty {
            let some = result.versionsWithoutFile.prefix(20).joined(separator: ", ")
            Output.line(
                "The files of \(result.versionsWithoutFile.count) versions are not here; upload them again before you release them: \(some)"
            )
        }
        Output.line("Keep \(result.main) off, then: hearth serve --data \(result.folder)")
    }

    private func options(
        _ configuration: ServerConfiguration, _ environment: [String: String]
    ) throws -> FollowOptions {
        let credentials: AdminCredentials
        let isGiven = tokenFile != nil || environment["HEARTH_TOKEN"]?.isEmpty == false
        guard isGiven else {
            throw ValidationError(
                "Give --token-file or HEARTH_TOKEN: hearth keys token create site --server --role mirror --output mirror.token"
            )
        }
        credentials = try CredentialsChoice(credentialsFile: nil, tokenFile: tokenFile, url: url)
            .credentials(environment)
        guard case .token(let token, let address) = credentials else {
            throw ValidationError("A follower needs an admin token.")
        }
        guard address.hasPrefix("https://") || Self.isLoopback(address) || configuration.allowsInsecureHTTP else {
            throw ValidationError(
                "The token and the keys of devices would be sent in clear text to \(address): use https, or --insecure-http."
            )
        }
        var options = FollowOptions(
            mainURL: address.hasSuffix("/") ? String(address.dropLast()) : address, token: token,
            transport: AdminNetwork(environment).transport)
        options.pollSeconds = Double(pollSeconds)
        options.staleServingHours = staleServingHours
        options.keepsAllVersions = allVersions
        options.acceptsRestored = acceptRestored
        return options
    }

    private static func isLoopback(_ url: String) -> Bool {
        guard let host = URLComponents(string: url)?.host else { return false }
        // Not by its first letters: a name may begin with such digits too.
        return host == "localhost" || ListenAddress(host.trimmingCharacters(in: ["[", "]"]))?.isLoopback == true
    }
}
