import Foundation
import HearthAdmin
import HearthArguments
import HearthCalls
import HearthCatalog
import HearthFiles
import HearthLocalCommands
import HearthWire

struct ProjectCreateCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "create",
        renamed: ["--out": "--output"],
        abstract: "Make a project, and the credentials files of its first owner and its first app.",
        discussion: "Needs the credentials of an operator, such as the file that the first start of a server wrote.",
        examples: ["hearth projects create robots --output robots-credentials"])

    @Argument(help: "Id of the project: 6 to 30 lower-case letters, digits or hyphens.")
    var id: String

    @Option(
        name: .shortAndLong,
        help: ArgumentHelp(
            "Folder for admin-service-account.json and GoogleService-Info.plist; neither may exist.",
            valueName: "folder"))
    var output: String?

    @OptionGroup var admin: AdminOptions

    func validate() throws {
        guard Names.isProjectID(id) else {
            throw ValidationError("A project's id must have 6 to 30 lower-case letters, digits or hyphens: '\(id)'.")
        }
        guard output != nil || admin.json else {
            throw ValidationError(
                "Name the folder for the credentials files, because the server shows them only once: --output FOLDER.")
        }
    }

    func run() throws {
        let client = try admin.client()
        let folder = try output.map { try NewFolder($0) }
        let files: ProjectFiles?
        let made: ProjectBodies.CreateResponse
        do {
            files = try output.map { try ProjectFiles(folder: $0) }
            made = try client.createProject(id)
        } catch {
            folder?.removeCreatedFolders()
            throw error
        }
        guard let files else { return try Output.json(made) }
        try files.write(made, url: client.url)
        if admin.json { return try Output.json(made.project) }
        Output.success("Made the project '\(made.project.projectId)'.")
        Output.line("  admin tools:  \(files.admin.path ?? "")")
        Output.line("  apps:         \(files.app.path ?? "")")
    }
}

/// The credentials files of a new project.
struct ProjectFiles {
    let admin: SecretFile
    let app: SecretFile

    /// Checks that the files can be written.
    init(folder: String) throws {
        admin = try SecretFile(FilePath.join(folder, "admin-service-account.json"))
        app = try SecretFile(FilePath.join(folder, "GoogleService-Info.plist"))
    }

    func write(_ made: ProjectBodies.CreateResponse, url: String) throws {
        let remedy = "The project was made, but not all its credentials were written; make new ones with hearth keys."
        try admin.write(CredentialsFile.serviceAccount(made.serviceAccountKey), otherwise: remedy)
        let list = try CredentialsFile.app(
            made.apiKey, project: made.project, url: made.serviceAccountKey.hearthURL)
        guard let list else { throw CommandFailure("The server's answer has no API key. \(remedy)") }
        try app.write(list, otherwise: remedy)
    }
}

/// A new folder, and the folders above it, only for their owner.
struct NewFolder {
    /// The folders that did not exist, innermost first.
    private let made: [String]

    /// Makes the folder, unless it exists.
    init(_ path: String) throws(FileError) {
        var missing: [String] = []
        var folder = path
        while !folder.isEmpty, !FileManager.default.fileExists(atPath: folder), FilePath.folder(of: folder) != folder {
            missing.append(folder)
            folder = FilePath.folder(of: folder)
        }
        made = missing
        do throws(FileError) {
            try DiskFiles().makeFolder(path, mode: 0o700)
        } catch {
            removeCreatedFolders()
            throw error
        }
    }

    /// Removes the new folders after a failure. Folders that have files by now stay.
    func removeCreatedFolders() {
        for folder in made { rmdir(folder) }
    }
}
