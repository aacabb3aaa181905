import Foundation
import Glibc
import HearthArguments
import HearthLocalCommands
import HearthServer

struct ServeCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: CommandSummary.serve.name,
        abstract: CommandSummary.serve.abstract,
        discussion: """
            The first start in an empty data folder makes a project, its API key and the credentials files for admin tools and \
            devices, and prints their paths. Ctrl-C or SIGTERM stops the server after transfers in progress; a second signal \
            stops it immediately. SIGHUP reads the certificate and opens the log file again. Closing the terminal \
            sends SIGHUP, so it does not stop the server.

            The environment and the file of --config have the same settings (--idle-seconds is HEARTH_IDLE_SECONDS, and a line \
            'idle-seconds = 60'). A flag overrides the environment, which overrides the file.
            """,
        examples: [
            "hearth serve",
            "hearth serve --address 192.0.2.7 --tls-certificate cert.pem --tls-key key.pem",
            "hearth serve --print-config > hearth.conf",
        ])

    @OptionGroup(title: LocationSettings.title)
    var place: SettingArguments<LocationSettings>

    @OptionGroup(title: SharedDataSettings.title)
    var sharedData: SettingArguments<SharedDataSettings>

    @OptionGroup(title: ConsoleSettings.title)
    var console: SettingArguments<ConsoleSettings>

    @OptionGroup(title: ProxySettings.title)
    var proxies: SettingArguments<ProxySettings>

    @OptionGroup(title: ConnectionSettings.title)
    var connections: SettingArguments<ConnectionSettings>

    @OptionGroup(title: RequestSettings.title)
    var requests: SettingArguments<RequestSettings>

    @OptionGroup(title: ModelFileSettings.title)
    var files: SettingArguments<ModelFileSettings>

    @OptionGroup(title: ExperimentSettings.title)
    var experiments: SettingArguments<ExperimentSettings>

    @OptionGroup(title: LogSettings.title)
    var observation: SettingArguments<LogSettings>

    @Option(name: .customLong("config"), help: ArgumentHelp("File of settings.", valueName: "file"))
    var configurationFile: String?

    @Flag(
        name: .customLong("print-config"),
        help: "Print all settings and the source of each, in the form of a file for --config, and end.")
    var printsConfiguration = false

    @Flag(help: "The same as --log-level error.")
    var quiet = false

    func run() throws {
        let reader = try readConfiguration()
        if printsConfiguration { return Output.line(SettingsListing(reader: reader).text) }
        let signals = ServerProcess.begin()
        do {
            try serve(reader.configuration, until: signals)
        } catch  where !(error is ExitCode) {
            let configuration = reader.configuration
            var log = ServerLog(format: configuration.logFormat, level: .error)
            // Readers of the log expect JSON.
            if log.format == .json { log.error("\(error)") }
            // A missing file is not made: it may not belong there, and no reader expects it.
            if let path = configuration.logFile, let file = try? LogFile(existing: path) {
                log.file = file
                log.error("\(error)")
            }
            throw log.format == .json ? ExitCode.failure : error
        }
    }

    private func serve(_ configuration: ServerConfiguration, until signals: StopSignals) throws {
        var configuration = configuration
        configuration.probeProgram = ProbeCommand.program
        configuration.engine = ProbeCommand.engine
        let files = OpenFileLimit.ofProcess.raised(for: configuration.connections)
        let server = try Server(configuration, files: files)
        let start = try server.start()
        Output.line(server.log.startupLine("Hearth is serving at \(start.url)"))
        if let id = start.newProjectID {
            Output.line(server.log.startupLine("This is the first start: made the project '\(id)' and its keys."))
        }
        if let path = start.credentials.admin { Output.line(server.log.startupLine("  admin tools:  \(path)")) }
        if let path = start.credentials.device { Output.line(server.log.startupLine("  devices:      \(path)")) }
        if let url = start.consoleURL {
            Output.line(server.log.startupLine("  console:      \(url) (`hearth console` signs you in)"))
        }
        let stop = signals.wait { _ in server.reload() }
        server.log.notice("Stopping (\(stop.name)).")
        server.stop()
    }

    private func readConfiguration() throws -> SettingsReader {
        try ServerProcess.settings(
            [
                quiet ? ["log-level": LogLevel.error.rawValue] : [:], place.given, sharedData.given, console.given,
                proxies.given, connections.given, requests.given, files.given, experiments.given, observation.given,
            ], file: configurationFile)
    }
}
