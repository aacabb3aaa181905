import Foundation
import Glibc
import HearthArguments
import HearthFiles
import HearthLocalCommands
import HearthWire

/// Where a secret goes that is shown once: a new file of mode 0600, or standard output for `-`.
struct SecretFile {
    /// Nil for standard output.
    let path: String?

    /// Checks before the secret is made that it can be kept.
    ///
    /// - Throws: when there is a file already: it may be the only copy of another secret.
    init(_ path: String) throws(CommandFailure) {
        guard path != "-" else {
            self.path = nil
            return
        }
        guard !path.isEmpty, !path.hasSuffix("/") else {
            throw CommandFailure("--output must name a file, or - to print it.")
        }
        var info = stat()
        guard lstat(path, &info) != 0 else {
            throw CommandFailure("\(path) is there already, and may hold the only copy of a secret; name another file.")
        }
        guard access(FilePath.folder(of: path), W_OK | X_OK) == 0 else {
            throw CommandFailure("Cannot write \(path): \(String(cString: strerror(errno)))")
        }
        self.path = path
    }

    /// - Parameter remedy: what to do about the secret that would be lost.
    func write(_ bytes: [UInt8], otherwise remedy: String) throws(CommandFailure) {
        guard let path else { return Output.line(String(decoding: bytes, as: UTF8.self)) }
        do throws(FileError) {
            try AtomicFile.write(bytes, to: path)
        } catch {
            throw CommandFailure("\(error.message). \(remedy)")
        }
    }
}

/// `--output` of commands that make a file full of secrets.
struct SecretFileOption: ParsableArguments {
    @Option(
        name: [.short, .long, .former("out")],
        help: ArgumentHelp(
            "File to write, which must not exist; - prints it.", valueName: "file"))
    var output: String?

    /// - Parameter isJSON: whether the user wants the answer printed, secrets and all.
    func target(isJSON: Bool) throws -> SecretFile? {
        if let output { return try SecretFile(output) }
        guard isJSON else {
            throw ValidationError(
                "Say where the file goes, as it is shown once: --output FILE, or --output - to print it.")
        }
        return nil
    }
}

extension CredentialsFile {
    /// `GoogleService-Info.plist`; nil when the key itself is not in the answer.
    ///
    /// - Parameters:
    ///   - bundleID: the app's own; nil for the first of those that the key is for, or a made-up one.
    ///   - url: the server's address, unless the server has a public one.
    static func app(
        _ key: KeyBodies.APIKey, project: ProjectBodies.Resource, bundleID: String? = nil, url: String
    ) throws -> [UInt8]? {
        try key.key.map { secret in
            try app(
                apiKey: secret, appID: key.appId, projectID: project.projectId, projectNumber: project.projectNumber,
                bundleID: bundleID ?? key.bundleIds?.first ?? "app.hearth.\(project.projectId)",
                serverURL: project.hearthUrl ?? url)
        }
    }
}
