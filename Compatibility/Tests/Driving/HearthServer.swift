public import Foundation

/// A `hearth serve` on a free port over a data folder of its own.
public final class HearthServer {
    private let data: TemporaryFolder
    private let program: Program

    private var credentials: URL { data.url.appendingPathComponent("credentials") }

    /// What the server wrote for apps.
    public var deviceFile: URL { credentials.appendingPathComponent("GoogleService-Info.plist") }

    /// Starts the server and waits until it serves.
    public init() throws {
        data = try TemporaryFolder()
        program = try Program(TestPlaces.hearth, ["serve", "--data", data.url.path, "--port", "0"])
        // The last line of the greeting.
        _ = try program.readOutput(until: "GoogleService-Info.plist\n")
    }

    /// `hearth models push NAME FILE --publish`.
    public func publish(_ name: String, _ file: URL) throws {
        let adminFile = credentials.appendingPathComponent("admin-service-account.json").path
        _ = try Program(
            TestPlaces.hearth, ["models", "push", name, file.path, "--publish"],
            environment: ["HEARTH_CREDENTIALS": adminFile]
        ).readToEnd()
    }
}
