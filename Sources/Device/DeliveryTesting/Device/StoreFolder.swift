import Foundation

/// A temporary folder, deleted with the last device that stores in it.
final class StoreFolder: Sendable {
    let path: String

    init() throws {
        let url = FileManager.default.temporaryDirectory.appendingPathComponent("hearth-device-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        path = url.path
    }

    /// Makes `path` another name of the folder `target`, which is made if there is none. Both lie in this one.
    func link(_ path: String, to target: String) throws {
        try FileManager.default.createDirectory(atPath: target, withIntermediateDirectories: true)
        try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: target)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }
}
