import Foundation
import HearthCalls
import HearthCrypto
import HearthFiles
package import HearthLocalCommands
import HearthModelFile
import HearthVision
import HearthWire

/// The file to upload: a plain file for which nothing is stated byte for byte, anything else packed into a temporary file.
///
/// A plain file is sent even if it is not a readable model: the server says what is wrong with it.
package final class PushPayload {
    package let path: String
    /// The file's name on the server.
    package let name: String
    private let temporary: String?

    /// - Parameter processing: What is stated about the model. What is packed is packed as `hearth pack` does it, which loads
    ///   the model into the engine; nil packs a bundle's files without that.
    package init(_ source: String, _ processing: ProcessingOptions? = nil) throws {
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: source, isDirectory: &isFolder) else {
            throw CommandFailure("There is no file or folder \(source).")
        }
        let url = URL(fileURLWithPath: source)
        let isBundle = isFolder.boolValue || ["zip", "json"].contains(url.pathExtension.lowercased())
        guard isBundle || processing?.isStated == true else {
            path = source
            name = Self.serverName(stem: url.deletingPathExtension().lastPathComponent, suffix: url.pathExtension)
            temporary = nil
            return
        }
        let packed: [UInt8]
        if let processing {
            let packer = try ModelPacker(path: source, labelsPath: processing.labels, stated: processing.stated)
            let result = try packer.packed()
            for line in result.description.map(DescriptionText.lines) ?? [] { Output.note(line) }
            if let notice = result.notice { Output.note("note: \(notice)") }
            packed = result.bytes
        } else {
            packed = try ModelBundle(path: source).packed()
        }
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("hearth-push-\(UUID().uuidString)")
        try AtomicFile.write(packed, to: file.path, mode: 0o600)
        path = file.path
        temporary = file.path
        name = Self.serverName(stem: url.deletingPathExtension().lastPathComponent, suffix: "tflite")
    }

    /// Whether it is the model's newest version, byte for byte. Unknown for a version that is malformed or still being validated.
    func isNewest(of model: ModelResource) throws -> Bool {
        guard let hash = model.modelHash, model.state?.validationError == nil, model.hearth?.version != nil else {
            return false
        }
        // A pipe or a device may never end, and can be read only once. The upload says what is wrong with it.
        guard let size = try DiskFiles().size(path) else { return false }
        // Files of different sizes differ: no need to read them.
        if let bytes = model.tfliteModel?.sizeBytes, bytes != "\(size)" { return false }
        return try FileDigest.sha256(path).hex == hash
    }

    /// Whether `hearth label` would read labels from a file beside this plain model. The upload does not contain that file.
    static func omitsExternalLabels(_ source: String) -> Bool {
        guard let bundle = try? ModelBundle(path: source), bundle.kind == .model, bundle.labels != nil,
            let packed = try? bundle.packed()
        else { return false }
        return packed.count != bundle.model.bytes.count
    }

    deinit {
        if let temporary { try? FileManager.default.removeItem(atPath: temporary) }
    }

    /// A name that the server accepts: without control characters, and short enough. The ending stays.
    private static func serverName(stem: String, suffix: String) -> String {
        var clean = String(stem.unicodeScalars.map { $0.value < 0x20 || $0.value == 0x7F ? "_" : Character($0) })
        while clean.utf8.count > 100 { clean.removeLast() }
        let ending = suffix.utf8.count <= 20 && suffix.unicodeScalars.allSatisfy { $0.value >= 0x20 } ? suffix : ""
        return ending.isEmpty ? clean : "\(clean).\(ending)"
    }
}
