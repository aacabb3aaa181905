import Foundation
import HearthModelFile

/// The one file that is uploaded: a plain file as it is, anything else packed into a temporary one.
///
/// A plain file is not looked into: the server says what it thinks of it.
final class PushPayload {
    let path: String
    /// The name it gets on the server.
    let name: String
    private let temporary: String?

    init(_ source: String) throws {
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: source, isDirectory: &isFolder) else {
            throw CommandFailure("There is no file or folder \(source).")
        }
        let url = URL(fileURLWithPath: source)
        guard isFolder.boolValue || ["zip", "json"].contains(url.pathExtension.lowercased()) else {
            path = source
            name = Self.serverName(url.lastPathComponent)
            temporary = nil
            return
        }
        let packed = try ModelBundle(path: source).packed()
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("hearth-push-\(UUID().uuidString)")
        try Data(packed).write(to: file)
        path = file.path
        temporary = file.path
        name = Self.serverName(url.deletingPathExtension().lastPathComponent + ".tflite")
    }

    deinit {
        if let temporary { try? FileManager.default.removeItem(atPath: temporary) }
    }

    private static func serverName(_ name: String) -> String {
        String(name.unicodeScalars.map { $0.value < 0x20 || $0.value == 0x7F ? "_" : Character($0) }.prefix(100))
    }
}
