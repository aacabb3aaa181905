public import Foundation

/// Where tests find their inputs and leave their files.
public enum TestPaths {
    /// The package's root folder.
    public static let package = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    /// `Tests/Fixtures`: what the package ships for its tests.
    public static let fixtures = package.appendingPathComponent("Tests/Fixtures")

    /// Real models, photos and golden results beside the checkout; not part of the package.
    /// `HEARTH_SHARED_DATA` overrides the place.
    public static let shared: URL = {
        if let path = ProcessInfo.processInfo.environment["HEARTH_SHARED_DATA"] {
            return URL(fileURLWithPath: path)
        }
        return package.deletingLastPathComponent().appendingPathComponent("shared/data")
    }()

    /// For `.enabled(if:)`: tests over the shared data are reported as skipped where it is absent.
    public static var hasSharedData: Bool {
        FileManager.default.fileExists(atPath: shared.appendingPathComponent("README.md").path)
    }
}

/// A folder of its own for one test, deleted when the last reference goes.
public final class TemporaryFolder: Sendable {
    public let url: URL

    public var path: String { url.path }

    public init() throws {
        url = FileManager.default.temporaryDirectory.appendingPathComponent("hearth-test-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    deinit {
        try? FileManager.default.removeItem(at: url)
    }

    /// Writes `bytes` to `name` in the folder and returns the file's path.
    public func write(_ bytes: some Sequence<UInt8>, to name: String) throws -> String {
        let file = url.appendingPathComponent(name)
        try FileManager.default.createDirectory(
            at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(bytes).write(to: file)
        return file.path
    }
}
