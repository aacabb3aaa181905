import HearthAdmin
import HearthArguments
import HearthCalls
import HearthLocalCommands
import HearthWire

struct ConfigEvaluateCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "evaluate",
        abstract: "Say which values a device would get, and why.",
        discussion: """
            Evaluates the active version, another one, or a file that need not be published. The options are what the device says \
            about itself; without an option, it does not say it.
            """,
        examples: [
            "hearth remoteconfig evaluate --country DE --os ios --app-version 2.10",
            "hearth remoteconfig evaluate --file template.json --signal level=7 --tag beta",
        ])

    @Option(
        help: ArgumentHelp(
            "File with a template to evaluate instead of a version; - for standard input.", valueName: "file"))
    var file: String?

    @Option(help: ArgumentHelp("Version to evaluate. Default: the active one.", valueName: "number"))
    var version: Int64?

    @Option(help: ArgumentHelp("When the device asks. Default: now.", valueName: "time"))
    var time: String?

    @Option(
        help: ArgumentHelp(
            "Id of the installation, as the app shows it. Shares and experiments need it.", valueName: "id"))
    var installation: String?

    @Option(help: ArgumentHelp("Id of the app. Default: that of the installation.", valueName: "id"))
    var app: String?

    @Option(help: ArgumentHelp("App version of the device, such as 2.10.0.", valueName: "version"))
    var appVersion: String?

    @Option(help: ArgumentHelp("Build of the app, such as 341.", valueName: "build"))
    var appBuild: String?

    @Option(help: ArgumentHelp("Operating system of the device, such as ios.", valueName: "os"))
    var os: String?

    @Option(help: ArgumentHelp("Language of the device, such as de or pt-BR.", valueName: "language"))
    var language: String?

    @Option(help: ArgumentHelp("Country of the device, such as CH.", valueName: "country"))
    var country: String?

    @Option(help: ArgumentHelp("Tag of the device. May be given several times.", valueName: "tag"))
    var tag: [String] = []

    @Option(help: ArgumentHelp("Custom signal of the app. May be given several times.", valueName: "key=value"))
    var signal: [String] = []

    @Option(help: ArgumentHelp("User property of the app. May be given several times.", valueName: "key=value"))
    var userProperty: [String] = []

    @Option(help: ArgumentHelp("When the app was opened for the first time, such as 7d ago.", valueName: "time"))
    var firstOpen: PastTimeArgument?

    @OptionGroup var namespace: NamespaceOption
    @OptionGroup var tables: TableOption
    @OptionGroup var admin: AdminOptions

    func validate() throws {
        if let version, version < 1 { throw ValidationError("Versions are numbered from 1.") }
        guard file == nil || version == nil else { throw ValidationError("Give --file or --version, not both.") }
        _ = try device()
        _ = try Self.time(time)
    }

    func run() throws {
        var request = TemplateEvaluationBodies.Request()
        if let file {
            request.template = try ConfigPutCommand.template(in: file, description: nil)
            request.template?.version = nil
        }
        request.version = version
        request.time = try Self.time(time)
        request.device = try device()
        let result = try evaluate(request, admin.client())
        if admin.json { return try Output.json(result) }
        Output.line(EvaluationText(result).text(width: tables.width))
    }

    /// - Throws: `AdminError`. For an invalid condition, first shows the wrong character on standard error.
    private func evaluate(
        _ request: TemplateEvaluationBodies.Request, _ client: AdminClient
    ) throws(AdminError) -> TemplateEvaluationBodies.Result {
        do throws(AdminError) {
            return try client.evaluateTemplate(namespace.namespace, request)
        } catch {
            if error.status == 400, let template = request.template, let mark = ConditionErrorText.text(in: template) {
                Output.note(mark)
            }
            throw error
        }
    }

    func device() throws -> TemplateEvaluationBodies.Device {
        var device = TemplateEvaluationBodies.Device()
        (device.installationId, device.appId) = (installation, app)
        (device.appVersion, device.appBuild, device.os) = (appVersion, appBuild, os)
        (device.language, device.country) = (language, country)
        device.tags = tag.isEmpty ? nil : tag
        device.customSignals = try Self.pairs(signal, "--signal")
        device.userProperties = try Self.pairs(userProperty, "--user-property")
        device.firstOpenTime = firstOpen?.wire
        return device
    }

    /// `level=7`. Nil for none.
    private static func pairs(_ texts: [String], _ option: String) throws -> [String: String]? {
        var pairs: [String: String] = [:]
        for text in texts {
            let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            guard parts.count == 2, !parts[0].isEmpty else {
                throw ValidationError("\(option) \(text.printable): give KEY=VALUE, such as level=7.")
            }
            guard pairs.updateValue(parts[1], forKey: parts[0]) == nil else {
                throw ValidationError("\(option): '\(parts[0].printable)' is there twice.")
            }
        }
        return pairs.isEmpty ? nil : pairs
    }

    private static func time(_ text: String?) throws -> String? {
        guard let text else { return nil }
        guard let time = TimeArgument.parse(text, now: .now) else {
            throw ValidationError("--time must be \(TimeArgument.expectation).")
        }
        return TimeArgument.wire(time)
    }
}
