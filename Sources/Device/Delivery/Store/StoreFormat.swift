import Foundation
import HearthCrypto
import HearthFiles
import HearthWire

/// The store's format number, which is written in the store.
///
/// 1: pointers that name the previous version by its hash only, and no file with the number.
///
/// 2: pointers with the previous version's length, and rejected versions.
struct StoreFormat: Sendable {
    static let current = 2

    let folder: String
    let files: any FileOperations

    private struct Record: Codable {
        // Any number that JSON may have: a larger number than `current` is a newer format.
        var format: Double
    }

    private static let limitBytes = 4096

    private var path: String { Self.path(in: folder) }

    static func path(in storeFolder: String) -> String { FilePath.join(storeFolder, "format") }

    /// Whether the store is in the current format.
    ///
    /// - Throws: `.incompatible` when a newer version wrote the store.
    func isCurrent() throws(FileError) -> Bool {
        guard let number = try number() else { return false }
        guard number <= Double(Self.current) else {
            throw FileError(
                .incompatible,
                "The models in \(folder) were stored by a newer version of Hearth: update this program to use them")
        }
        return number == Double(Self.current)
    }

    /// Records the current format. Call it last, when everything is in that format.
    func writeCurrent() throws(FileError) {
        guard let bytes = try? WireJSON.encode(Record(format: Double(Self.current))) else {
            throw FileError(.io, "Cannot encode the store's format number")
        }
        try AtomicFile.write(bytes, to: path, files: files)
    }

    /// nil when the number is missing or not readable: a second migration does no harm.
    private func number() throws(FileError) -> Double? {
        guard try files.size(path) != nil else { return nil }
        do throws(FileError) {
            let bytes = try files.read(path, limitBytes: Self.limitBytes)
            return try? JSONDecoder().decode(Record.self, from: Data(bytes)).format
        } catch let error where error.code == .tooLarge || error.code == .notFound {
            return nil
        }
    }
}
