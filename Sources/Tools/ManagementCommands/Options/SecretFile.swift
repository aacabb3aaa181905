import Foundation
import Glibc
import HearthArguments
import HearthFiles
import HearthLocalCommands
import HearthWire

/// The place of a secret that is shown only once: a new file of mode 0600, or standard output for `-`.
struct SecretFile {
    /// Nil for standard output.
    let path: String?

    /// Checks that the secret can be stored, before it is made.
    ///
    /// - Throws: if the file exists already: it may contain the only copy of another secret.
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
            throw CommandFailure(
                "\(path) exists already, and may contain the only copy of a secret; name another file.")
        }
        guard access(FilePath.folder(of: path), W_OK | X_OK) == 0 else {
            throw CommandFailure("Cannot write \(path): \(String(cString: strerror(errno)))")
        }
        self.path = path
    }

    /// - Parameter remedy: what to do about the secret if it cannot be written.
    func write(_ bytes: [UInt8], otherwise remedy: String) throws(CommandFailure) {
        guard let path else { return Output.line(String(decoding: bytes, as: UTF8.self)) }
        do throws(FileError) {
            try AtomicFile.write(bytes, to: path)
        } catch {
            throw CommandFailure("\(error.message). \(remedy)", cause: error)
        }
    }
}

/// The option `--output` of commands that make a file with secrets.
struct SecretFileOption: ParsableArguments {
    @Option(
        name: .shortAndLong,
        help: ArgumentHelp(
            "File to write. It must not exist; - prints it.", valueName: "file"))
    var output: String?

    /// - Parameter isJSON: whether the user wants the answer printed, including the secrets.
    func target(isJSON: Bool) throws -> SecretFile? {
        if let output { return try SecretFile(output) }
        guard isJSON else {
            throw ValidationError(
                "Name the file to write, because the server shows its content only once: --output FILE, or --output - to print it."
            )
        }
        return nil
    }
}
