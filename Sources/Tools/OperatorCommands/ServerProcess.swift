import Foundation
import Glibc
import HearthArguments
import HearthLocalCommands
import HearthManagementCommands
import HearthServer

/// How a process that serves begins.
enum ServerProcess {
    /// Sets what the process does on signals, and who can access its files. Call it before any other thread exists, so that each
    /// thread inherits it.
    ///
    /// - Returns: SIGHUP and the signals that end the process.
    static func begin() -> StopSignals {
        let signals = StopSignals(and: [SIGHUP])
        // Only the owner can access the files that the server writes.
        umask(0o077)
        // The server must not end when a peer or a log reader closes its end.
        signal(SIGPIPE, SIG_IGN)
        // Nor because of a limit on the size of files: the write then fails, as on a full disk.
        signal(SIGXFSZ, SIG_IGN)
        // A parent that ignores SIGCHLD passes that on, and then the server could not wait for probes.
        signal(SIGCHLD, SIG_DFL)
        // These signals have no meaning here. By default they would end the server at any point.
        for number in [SIGUSR1, SIGUSR2, SIGALRM] { signal(number, SIG_IGN) }
        return signals
    }

    /// Reads the settings: from flags, of which later groups override earlier ones, from the environment, and from the file of
    /// `--config`.
    static func settings(_ flags: [[String: String]], file: String?) throws -> SettingsReader {
        let environment = ProcessInfo.processInfo.environment
        try RenamedVariables.check(environment)
        let file = try file.map { (path: $0, text: try TextFile.read($0)) }
        do {
            return try SettingsReader(
                flags: flags.reduce(into: [:]) { all, group in all.merge(group) { $1 } }, environment: environment,
                file: file, otherVariables: otherVariables)
        } catch {
            throw ValidationError(error.description)
        }
    }

    /// Variables that begin like the server's, and belong to other commands, to apps or to scripts.
    static let otherVariables: Set<String> = [
        "HEARTH_CREDENTIALS", "HEARTH_TOKEN", "HEARTH_URL", "HEARTH_APP_CONFIG", "HEARTH_STORE",
        "HEARTH_CA_FILE", "HEARTH_PROXY", "HEARTH_FONT", "HEARTH_PROGRAM", "HEARTH_SERVER_URL", "HEARTH_API_KEY",
        "HEARTH_GOOGLE_APP_ID", "HEARTH_GCM_SENDER_ID", "HEARTH_PROJECT_ID", "HEARTH_BENCH_PYTHON",
        "HEARTH_SHARED_DATA", "HEARTH_DAMAGED_MODELS",
    ]
}
