import Glibc
import HearthArguments
import HearthCatalog
import HearthHTTP
import HearthLocalCommands

struct ServeCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: CommandSummary.serve.name,
        abstract: CommandSummary.serve.abstract,
        discussion: """
            The first start in an empty data folder creates a project, its API key and the credentials files of admin \
            tools and devices, and says where they are. Stop it with Ctrl-C or SIGTERM.
            """)

    @Option(
        name: .customLong("data"), help: ArgumentHelp("Folder of everything the server keeps.", valueName: "folder"))
    var dataFolder = "hearth-data"

    @Option(help: ArgumentHelp("Numeric address to listen on.", valueName: "address"))
    var address = "127.0.0.1"

    @Option(help: ArgumentHelp("Port to listen on; 0 takes a free one.", valueName: "port"))
    var port: UInt16 = 8787

    @Option(
        name: .customLong("public-url"),
        help: ArgumentHelp("Address that devices and tools reach the server under.", valueName: "url"))
    var publicURL: String?

    @Option(
        name: .customLong("project"),
        help: ArgumentHelp(
            "Id of the project made at the first start. Default: hearth-default.", valueName: "id"))
    var projectID: String?

    @Option(
        name: .customLong("tls-certificate"),
        help: ArgumentHelp("PEM file of the certificate and its chain.", valueName: "file"))
    var certificateFile: String?

    @Option(name: .customLong("tls-key"), help: ArgumentHelp("PEM file of the certificate's key.", valueName: "file"))
    var keyFile: String?

    @Flag(name: .customLong("insecure-http"), help: "Allow plain HTTP on an address other than loopback.")
    var allowsInsecureHTTP = false

    @Flag(help: "Print no line per request.")
    var quiet = false

    func validate() throws {
        guard (certificateFile == nil) == (keyFile == nil) else {
            throw ValidationError("--tls-certificate and --tls-key go together.")
        }
        if let publicURL, !publicURL.hasPrefix("http://"), !publicURL.hasPrefix("https://") {
            throw ValidationError("--public-url must begin with http:// or https://.")
        }
        if let projectID, !Names.isProjectID(projectID) {
            throw ValidationError(
                "--project must have 6 to 30 lower-case letters, digits or hyphens: '\(projectID)'.")
        }
        try validateAddress()
    }

    private func validateAddress() throws {
        guard let parsed = ListenAddress(address) else {
            throw ValidationError("--address '\(address)': give a numeric address, such as 127.0.0.1.")
        }
        guard parsed.isLoopback || certificateFile != nil || allowsInsecureHTTP else {
            throw ValidationError(
                """
                Listening on \(address) without TLS would send keys in clear text. Give --tls-certificate and \
                --tls-key, or --insecure-http behind a proxy that does TLS.
                """)
        }
        guard !parsed.isWildcard || publicURL != nil else {
            throw ValidationError(
                """
                Links and credentials would carry \(address), which no other machine can use. Give --public-url with \
                the address that devices and tools use.
                """)
        }
    }

    func run() throws {
        // Before any other thread exists, so that each of them inherits it.
        let signals = StopSignals()
        // Whatever the server writes is its owner's only.
        umask(0o077)
        // A peer or log reader that goes away must not end the server.
        signal(SIGPIPE, SIG_IGN)
        // A parent that ignores SIGCHLD passes that on, and probes could not be waited for.
        signal(SIGCHLD, SIG_DFL)
        let server = try HearthServer(
            HearthServer.Configuration(
                dataFolder: dataFolder, address: address, port: port, tls: try tls(), publicURL: publicURL,
                projectID: projectID, logsRequests: !quiet))
        let start = try server.start()
        Output.line("Hearth is serving at \(start.url)")
        if start.isFirst { Output.line("This is the first start: made the project '\(start.projectID)' and its keys.") }
        Output.line("  admin tools:  \(start.adminCredentials)")
        Output.line("  devices:      \(start.deviceCredentials)")
        let stop = signals.wait()
        Output.note("Stopping (\(stop.name)).")
        server.stop()
    }

    private func tls() throws -> HTTPServerConfiguration.TLS? {
        guard let certificateFile, let keyFile else { return nil }
        return .init(
            certificatePEM: try TextFile.read(certificateFile), privateKeyPEM: try TextFile.read(keyFile))
    }
}
