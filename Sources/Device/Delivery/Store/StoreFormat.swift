import Foundation
import HearthFiles
import HearthWire

/// The number of the form that a store's files are in, written down in the store.
///
/// 1: pointers that name the previous version by its hash only, and no file that tells the number.
/// 2: pointers with the previous version's length, and versions put aside.
struct StoreFormat: Sendable {
    static let current = 2

    let folder: String
    let files: any FileOperations

    private struct Record: Codable {
        // Any number that JSON may hold: what is larger than ours is newer.
        var format: Double
    }

    private static let limitBytes = 4096

    private var path: String { Self.path(in: folder) }

    static func path(in storeFolder: String) -> String { FilePath.join(storeFolder, "format") }

    /// Whether there is nothing to migrate.
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

    /// Last, when everything is in the current format.
    func writeCurrent() throws(FileError) {
        guard let bytes = try? WireJSON.encode(Record(format: Double(Self.current))) else {
            throw FileError(.io, "Cannot encode the store's format number")
        }
        try AtomicFile.write(bytes, to: path, files: files)
    }

    /// nil when there is none. One that is not readable counts as none: migrating again does no harm.
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
