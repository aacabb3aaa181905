import Foundation
import Glibc
import HearthAdmin
import HearthArguments
import HearthLocalCommands

/// The demo's own `hearth serve`, in another process.
final class DemoServer {
    let dataFolder: String
    /// The credentials of its first project's owner.
    let credentials: AdminCredentials
    private let process: Process
    /// Open while the server may write.
    private let output = Pipe()

    var url: String { credentials.url }
    var deviceCredentials: String { dataFolder + "/credentials/GoogleService-Info.plist" }

    /// Starts the server on a free port, and waits until it serves.
    init(dataFolder: String, _ interruption: DemoInterruption) throws {
        self.dataFolder = dataFolder
        process = Process()
        process.executableURL = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
        process.arguments = ["serve", "--data", dataFolder, "--port", "0", "--quiet"]
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        try interruption.start(process)
        // It writes its address into the credentials, and then prints its first line.
        guard !output.fileHandleForReading.availableData.isEmpty,
            let credentials = try? AdminCredentials(serviceAccountFile: Self.adminCredentials(in: dataFolder))
        else {
            process.terminate()
            throw CommandFailure("The server did not start; try `hearth serve` to see why.")
        }
        self.credentials = credentials
    }

    deinit { stop() }

    /// Ends the server in all cases.
    func stop() {
        guard process.isRunning else { return }
        kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
    }

    /// Asks the server to stop, and waits until it has stopped.
    func stopCleanly() throws {
        process.terminate()
        process.waitUntilExit()
        guard process.terminationReason == .exit, process.terminationStatus == 0 else {
            throw CommandFailure("The server did not stop cleanly (status \(process.terminationStatus)).")
        }
    }

    private static func adminCredentials(in dataFolder: String) -> String {
        dataFolder + "/credentials/admin-service-account.json"
    }
}
