package import Foundation
package import Testing

/// Where tests find their inputs and leave their files.
package enum TestPaths {
    /// The package's root folder.
    package static let package = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    /// `Tests/Fixtures`: what the package ships for its tests.
    package static let fixtures = package.appendingPathComponent("Tests/Fixtures")

    /// Real models, photos and golden results beside the checkout; not part of the package.
    /// `HEARTH_SHARED_DATA` overrides the place.
    package static let shared: URL = {
        if let path = ProcessInfo.processInfo.environment["HEARTH_SHARED_DATA"] {
            return URL(fileURLWithPath: path)
        }
        return package.deletingLastPathComponent().appendingPathComponent("shared/data")
    }()

    /// For `.enabled(if:)`: tests over the shared data are reported as skipped where it is absent.
    package static var hasSharedData: Bool {
        FileManager.default.fileExists(atPath: shared.appendingPathComponent("README.md").path)
    }
}

/// A folder of its own for one test, deleted when the last reference goes.
package final class TemporaryFolder: Sendable {
    package let url: URL

    package var path: String { url.path }

    package init() throws {
        url = FileManager.default.temporaryDirectory.appendingPathComponent("hearth-test-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    deinit {
        try? FileManager.default.removeItem(at: url)
    }

    /// Writes `bytes` to `name` in the folder and returns the file's path.
    package func write(_ bytes: some Sequence<UInt8>, to name: String) throws -> String {
        let file = url.appendingPathComponent(name)
        try FileManager.default.createDirectory(
            at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(bytes).write(to: file)
        return file.path
    }
}

extension Trait where Self == TimeLimitTrait {
    /// What waits for something that does not come fails instead of holding up the run.
    ///
    /// All tests of a process begin at once and take turns, so this counts the others' time as well: minutes for what takes
    /// milliseconds alone.
    package static var limitedTime: Self { .timeLimit(.minutes(10)) }
}

/// Random numbers that are the same in every run: SplitMix64.
package struct SeededGenerator: RandomNumberGenerator, Sendable {
    private var state: UInt64

    package init(seed: UInt64) { state = seed }

    package mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var value = state
        value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
        value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
        return value ^ (value >> 31)
    }
}
