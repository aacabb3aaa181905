import Foundation
package import Glibc
package import HearthTestSupport
package import HearthWire
import Testing

/// A `hearth serve` on a free port over a data folder of its own. Killed and reaped when released.
package final class ServerProcess {
    package let data: TemporaryFolder
    package let url: String
    /// What the server printed when it began to serve.
    package let greeting: String
    private let program: RunningProgram

    package var id: pid_t { program.id }
    package var isRunning: Bool { program.isRunning }
    package var log: String { program.errors }
    package var port: UInt16 { URLComponents(string: url)?.port.flatMap { UInt16(exactly: $0) } ?? 0 }

    package var adminFile: String { data.path + "/credentials/admin-service-account.json" }
    package var deviceFile: String { data.path + "/credentials/GoogleService-Info.plist" }
    package var databaseFile: String { data.path + "/hearth.sqlite" }

    /// Starts the server and waits until it serves.
    package init(
        data: TemporaryFolder? = nil, arguments: [String] = [], environment: [String: String] = [:],
        greetingEnds lastLine: String = "GoogleService-Info.plist\n"
    ) throws {
        let folder = try data ?? TemporaryFolder()
        self.data = folder
        program = try RunningProgram(
            HearthProgram.path(), ["serve", "--data", folder.path, "--port", "0"] + arguments,
            environment: environment)
        greeting = try program.readOutput(until: lastLine, seconds: 60)
        let address = greeting.split(whereSeparator: \.isWhitespace).first { $0.hasPrefix("http") }
        // As text, or inside a JSON string.
        url = try String(#require(address).prefix { $0 != "\"" })
    }

    /// SIGKILL: no chance to tidy up.
    package func kill() throws {
        program.send(SIGKILL)
        _ = try program.waitForExit(seconds: 30)
    }

    /// SIGTERM, and how the server took it.
    package func terminate() throws -> ProcessResult {
        program.send(SIGTERM)
        return try ending()
    }

    /// Waits for its end.
    package func ending() throws -> ProcessResult { try program.waitForExit(seconds: 30) }

    /// Runs `hearth` against this server, with a device store inside its data folder.
    package func hearth(_ arguments: String...) throws -> ProcessResult { try hearth(arguments) }

    package func hearth(_ arguments: [String]) throws -> ProcessResult {
        try HearthProgram.run(
            arguments,
            environment: [
                "HEARTH_CREDENTIALS": adminFile, "HEARTH_APP_CONFIG": deviceFile, "HEARTH_STORE": data.path + "/device",
            ])
    }

    package func adminKey() throws -> ServiceAccountKey {
        try WireJSON.decode(ServiceAccountKey.self, from: Data(contentsOf: URL(fileURLWithPath: adminFile)))
    }

    /// The entries of the plist for devices.
    package func deviceConfiguration() throws -> [String: String] {
        let data = try Data(contentsOf: URL(fileURLWithPath: deviceFile))
        return try #require(try PropertyListSerialization.propertyList(from: data, format: nil) as? [String: String])
    }

    /// Names of the files in the blob store: committed ones, those set aside, and quarantine.
    package func storedFiles() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: data.path + "/blobs").sorted().filter { $0 != "folder-id" }
    }

    /// Bytes of all files in the blob store, complete or not.
    package func storedBytes() throws -> Int {
        try storedFiles().reduce(0) { sum, name in
            let attributes = try? FileManager.default.attributesOfItem(atPath: data.path + "/blobs/" + name)
            return sum + (attributes?[.size] as? Int ?? 0)
        }
    }

    /// Bytes of files that are not complete yet.
    package func quarantinedBytes() throws -> Int {
        try storedFiles().filter { $0.hasPrefix("incoming-") }.reduce(0) { sum, name in
            let attributes = try? FileManager.default.attributesOfItem(atPath: data.path + "/blobs/" + name)
            return sum + (attributes?[.size] as? Int ?? 0)
        }
    }
}
