public import Foundation

/// Where the tests find programs, models and images.
public enum TestPlaces {
    /// The main package's root folder.
    public static let package = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    /// `Models`: what the main package ships.
    public static let models = package.appendingPathComponent("Models")

    /// Real models and photos beside the checkout; `HEARTH_SHARED_DATA` overrides the place.
    public static let shared: URL = {
        if let path = ProcessInfo.processInfo.environment["HEARTH_SHARED_DATA"] {
            return URL(fileURLWithPath: path)
        }
        return package.deletingLastPathComponent().appendingPathComponent("shared/data")
    }()

    /// For `.enabled(if:)`.
    public static var hasSharedData: Bool {
        FileManager.default.fileExists(atPath: shared.appendingPathComponent("README.md").path)
    }

    /// The server's program: `HEARTH_PROGRAM`, else the main package's build for tests.
    static let hearth =
        ProcessInfo.processInfo.environment["HEARTH_PROGRAM"]
        ?? package.appendingPathComponent(".build/checks/debug/hearth-full").path

    /// For `.enabled(if:)`.
    public static var hasHearth: Bool { FileManager.default.isExecutableFile(atPath: hearth) }

    /// An app of this package, which is built into the folder of the tests.
    static func app(_ name: String) -> URL {
        URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
            .deletingLastPathComponent().appendingPathComponent(name)
    }
}
