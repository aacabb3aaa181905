import HearthFiles
import HearthStorage

/// Two small files in the data folder.
package struct RemovalFiles: RemovalNotes {
    private let waiting: String
    private let confirmed: String

    /// - Parameters:
    ///   - waiting: path of the file to which maintenance writes what it has deferred.
    ///   - confirmed: path of the file to which an operator writes what may be removed.
    package init(waiting: String, confirmed: String) { (self.waiting, self.confirmed) = (waiting, confirmed) }

    package func deferred() throws -> String? { try text(waiting) }

    package func setDeferred(_ text: String?) throws {
        if let text {
            try AtomicFile.write(Array(text.utf8), to: waiting)
        } else if PathKind(waiting) == .file {
            try DiskFiles().remove(waiting)
        }
    }

    package func allow(_ text: String) throws { try AtomicFile.write(Array(text.utf8), to: confirmed) }

    package func takeAllowed() throws -> String? {
        guard PathKind(confirmed) == .file else { return nil }
        // Renamed first, so that exactly the confirmation that is read is removed, even if an operator writes another
        // one now.
        let taken = confirmed + Self.takenEnding
        try DiskFiles().rename(confirmed, to: taken)
        let text = try text(taken)
        try DiskFiles().remove(taken)
        return text
    }

    private static let takenEnding = "-now"

    private func text(_ path: String) throws -> String? {
        guard PathKind(path) == .file else { return nil }
        return String(decoding: try DiskFiles().read(path, limitBytes: 65_536), as: UTF8.self)
    }
}
