public import Foundation

/// One of the apps on a device of its own: its program, with what it was shipped with beside it, and its data.
public final class InstalledApp {
    private let folder: TemporaryFolder
    private let program: URL

    private var bundle: URL { folder.url.appendingPathComponent("bundle") }

    /// - Parameters:
    ///   - name: The name of the app's target.
    ///   - server: Whose `GoogleService-Info.plist` the app is shipped with.
    ///   - resources: Files and folders by the path that they get in the app's main bundle.
    public init(_ name: String, server: HearthServer, resources: [String: URL] = [:]) throws {
        folder = try TemporaryFolder()
        program = folder.url.appendingPathComponent("bundle/\(name)")
        try FileManager.default.createDirectory(at: bundle, withIntermediateDirectories: true)
        // The main bundle of a program is the folder that it lies in.
        try FileManager.default.copyItem(at: TestPlaces.app(name), to: program)
        for (path, file) in resources.merging(["GoogleService-Info.plist": server.deviceFile], uniquingKeysWith: { $1 })
        {
            let target = bundle.appendingPathComponent(path)
            try FileManager.default.createDirectory(
                at: target.deletingLastPathComponent(), withIntermediateDirectories: true)
            try FileManager.default.copyItem(at: file, to: target)
        }
    }

    /// Runs the app to its end and returns the lines that it printed. Models stay for the next run.
    public func run(_ arguments: String...) throws -> [String] { try run(arguments) }

    public func run(_ arguments: [String]) throws -> [String] {
        let store = folder.url.appendingPathComponent("store").path
        return try Program(program.path, arguments, environment: ["HEARTH_STORE": store])
            .readToEnd().split(separator: "\n").map(String.init)
    }
}
