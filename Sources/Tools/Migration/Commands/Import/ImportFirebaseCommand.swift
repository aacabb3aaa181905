import Foundation
import HearthAdmin
import HearthArguments
import HearthFirebaseImport
import HearthLocalCommands
import HearthManagementCommands

struct ImportFirebaseCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "firebase",
        abstract: "Import models, Remote Config and experiments out of Firebase.",
        discussion: """
            Name one source:
            FOLDER is the folder hosted_models/ that the command of the Firebase console for a bulk download fills.
            --command names a file with that command itself, as you pasted it; its links are downloaded.
            --service-account reads everything that Firebase gives out: models with tags and state, the Remote Config \
            templates with their history, definitions of experiments. The account needs the roles Firebase Viewer and Storage \
            Object Viewer.
            --plist with --model downloads published models as a device gets them. Beside --service-account, it gives the \
            bytes of models whose place Firebase does not name, as with AutoML.
            What comes from Firebase stays in the folder of --keep. An interrupted import continues from there, and FOLDER may \
            be such a folder. Each project has a folder of its own, and so has the command of the console, which names no \
            project.
            A model that Firebase publishes arrives published, any other one unpublished. A model that the server has with \
            other bytes gets a new version; devices get it only with --publish. The same holds for a newer template. A template that the \
            project changed itself stays in any case. A second run changes nothing.
            Nobody has tried this command with Google's own services yet: it was written from Google's documents. If it \
            fails, make a trace with --trace and report it.
            """,
        examples: [
            "hearth import firebase hosted_models",
            "hearth import firebase --service-account key.json --fetch-only",
            "hearth import firebase --plist GoogleService-Info.plist --model flowers --model faces",
        ])

    @Argument(help: "The folder with the downloaded models.")
    var folder: String?

    @Option(
        help: ArgumentHelp(
            "File with the console's command for a bulk download; - reads standard input.", valueName: "file"))
    var command: String?

    @Option(help: ArgumentHelp("Key file of a Google service account.", valueName: "file"))
    var serviceAccount: String?

    @Option(help: ArgumentHelp("The app's GoogleService-Info.plist.", valueName: "file"))
    var plist: String?

    @Option(help: ArgumentHelp("A published model to download with --plist; repeat it for several.", valueName: "name"))
    var model: [String] = []

    @Option(
        help: ArgumentHelp(
            """
            Folder that keeps what came from Firebase (default: \(ImportFirebaseCommand.projectFolder), with --command \
            \(ImportFirebaseCommand.commandFolder)).
            """, valueName: "folder"))
    var keep: String?

    @Flag(help: "Only take everything into the folder of --keep, without a server.")
    var fetchOnly = false

    @Flag(help: "Change nothing on the server, and show what would be imported.")
    var dryRun = false

    @Flag(help: "Give new versions to all devices, and models of which they get no version yet.")
    var publish = false

    @Option(
        help: ArgumentHelp(
            "Write every call to Google and its answer to this new file, without secrets.", valueName: "file"))
    var trace: String?

    @Option(help: ArgumentHelp("Make Google's calls at this address instead, for a rehearsal.", valueName: "url"))
    var endpoint: String?

    @OptionGroup var tables: TableOption
    @OptionGroup var admin: AdminOptions

    private static let projectFolder = "firebase-import"
    private static let commandFolder = "firebase-bulk-download"

    func validate() throws {
        let sources = [folder, command, serviceAccount ?? (model.isEmpty ? nil : plist)].compactMap { $0 }
        guard sources.count == 1 else {
            throw ValidationError(
                sources.isEmpty
                    ? "Name a source: a folder, --command, --service-account, or --plist with --model."
                    : "Name one source: a folder, --command, --service-account, or --plist with --model.")
        }
        guard model.isEmpty || plist != nil else { throw ValidationError("--model needs --plist.") }
        guard serviceAccount == nil || model.isEmpty else {
            throw ValidationError("--service-account imports all models; leave out --model.")
        }
        guard !fetchOnly || folder == nil else { throw ValidationError("--fetch-only needs a source to fetch from.") }
        if let endpoint, !endpoint.hasPrefix("http://"), !endpoint.hasPrefix("https://") {
            throw ValidationError("--endpoint must begin with http:// or https://.")
        }
    }

    func run() throws {
        let interruption = PushInterruption()
        var report = ImportReport(isDryRun: dryRun)
        do {
            do {
                try importAll(interruption, &report)
            } catch {
                // What was done is not lost: the report says so, and the error ends the program.
                guard !report.models.isEmpty || !report.problems.isEmpty else { throw error }
                report.stopped = ErrorText.describe(error)
                try print(report)
                throw error
            }
            try print(report)
            guard report.failedCount == 0 else {
                let parts = report.failedCount == 1 ? "1 part is" : "\(report.failedCount) parts are"
                throw CommandFailure("\(parts) not imported; the report says why.")
            }
        } catch {
            throw interruption.exitError(of: error)
        }
    }

    private func print(_ report: ImportReport) throws {
        if admin.json { return try Output.json(report) }
        ImportReportText(report, keep: keptFolder).print(width: tables.width)
    }

    /// The app of `--plist`.
    func installation() throws -> AppInstallation? { try plist.map { try AppInstallation(plist: $0) } }

    private func importAll(_ interruption: PushInterruption, _ report: inout ImportReport) throws {
        // It becomes a part of commands.
        if let bundleID = try installation()?.bundleID, bundleID.wholeMatch(of: /[A-Za-z0-9.\-]+/) != nil {
            report.bundleIDs = [bundleID]
        }
        let fetch = FirebaseFetch(command: self, interruption: interruption)
        // First the server, so that nobody downloads for an hour and then learns of a wrong address.
        let client = fetchOnly ? nil : try admin.client(interruption: interruption, onNotice: Self.note)
        _ = try client?.models(limit: 1)
        if let folder, !ImportFolder.exists(at: folder) {
            let source = try HostedModelsFolder(folder)
            guard !source.models.isEmpty || !source.ignored.isEmpty else {
                throw CommandFailure("There is no file in \(folder). Run the console's command for the download first.")
            }
            report.ignored = source.ignored
            guard !source.models.isEmpty else {
                report.problems.append(
                    FetchProblem(
                        folder, "There is no model in this folder. Name the folder that the console's command filled."))
                return
            }
            report.missing = ImportReport.missingFromFolder
            if let client { try add(source.models, client, &report) }
            return
        }
        try fetch.run(&report)
        let kept = ImportFolder(keptFolder)
        _ = try kept.about()
        let sources = try kept.sources(hasPlist: plist != nil)
        // The fetch has said why.
        let known = Set(report.problems.map(\.subject))
        report.withoutBytes = sources.withoutBytes.filter { !known.contains($0.subject) }
        report.problems += sources.damaged.filter { !known.contains($0.subject) }
        report.unknownMembers = sources.unknown
        report.describe(sources.models, hasConfiguration: serviceAccount != nil || kept.hasConfiguration)
        guard let client else {
            report.models = sources.models.map(ImportedModel.init(kept:))
            report.templates = try RemoteConfigNamespace.allCases.compactMap {
                try ImportedTemplate(kept: $0.rawValue, numbers: kept.templateNumbers($0.rawValue))
            }
            return
        }
        try add(sources.models, client, &report)
        try addConfiguration(kept, client, &report)
    }

    /// The folder with what came from Firebase, for the sources that have one.
    var keptFolder: String { folder ?? keep ?? (command == nil ? Self.projectFolder : Self.commandFolder) }

    private func add(_ models: [SourceModel], _ client: AdminClient, _ report: inout ImportReport) throws {
        for (index, model) in models.enumerated() {
            let bar = ProgressBar(label: "Importing \(model.name) (\(index + 1) of \(models.count))")
            defer { bar.finish() }
            let importer = ModelImporter(
                client: client, options: options,
                makeUploader: { _ in
                    FileUploader(
                        client: client, resumes: true, progress: { bar.update(completed: $0, total: $1) })
                })
            report.models.append(try importer.add(model))
        }
    }

    private func addConfiguration(_ kept: ImportFolder, _ client: AdminClient, _ report: inout ImportReport) throws {
        for namespace in RemoteConfigNamespace.allCases {
            let bar = ProgressBar(label: "Importing Remote Config (\(namespace.rawValue))", unit: .pieces)
            defer { bar.finish() }
            let importer = TemplateImporter(client: client, folder: kept, options: options) {
                bar.update(completed: UInt64($0), total: UInt64($1))
            }
            try add("Remote Config (\(namespace.rawValue))", &report) {
                if let template = try importer.add(namespace) { $0.templates.append(template) }
            }
        }
        try add("experiments", &report) {
            $0.experiments = try ExperimentImporter(client: client, folder: kept, options: options).addAll()
        }
    }

    /// A part that is damaged in the folder, or that these credentials may not import, does not end the import.
    private func add(
        _ part: String, _ report: inout ImportReport, _ body: (inout ImportReport) throws -> Void
    ) throws {
        do {
            try body(&report)
        } catch let error as AdminError where error.status == 403 {
            report.problems.append(FetchProblem(part, "\(error.message) An owner's credentials may import it."))
        } catch let error as FirebaseError where !error.canContinue {
            report.problems.append(FetchProblem(part, error.message))
        }
    }

    private var options: ImportOptions { ImportOptions(publishes: publish, isDryRun: dryRun) }

    /// An import continues by itself, so that nothing is there to continue is no news.
    private static let note: @Sendable (AdminNotice) -> Void = { notice in
        if case .noUnfinishedUpload = notice { return }
        Output.note(notice.text)
    }
}
