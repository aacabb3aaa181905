import HearthFiles
package import HearthStorage

/// Where maintenance and an operator leave short texts for each other.
package protocol RemovalNotes: Sendable {
    /// What maintenance has deferred; nil for nothing.
    func deferred() throws -> String?
    func setDeferred(_ text: String?) throws
    /// An operator allows removals.
    func allow(_ text: String) throws
    /// What an operator has allowed, once.
    func takeAllowed() throws -> String?
}

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

/// Marks in records that several servers share: any of them may do the maintenance next.
package struct RemovalMarks: RemovalNotes {
    private let metadata: any MetadataStore

    package init(_ metadata: any MetadataStore) { self.metadata = metadata }

    package func deferred() throws -> String? { try metadata.read { try $0.value(of: .deferredRemovals) } }

    package func setDeferred(_ text: String?) throws {
        guard try deferred() != text else { return }
        try metadata.write { try $0.set(.deferredRemovals, text) }
    }

    package func allow(_ text: String) throws { try metadata.write { try $0.set(.allowedRemovals, text) } }

    package func takeAllowed() throws -> String? {
        guard try metadata.read({ try $0.value(of: .allowedRemovals) }) != nil else { return nil }
        return try metadata.write { store in
            let text = try store.value(of: .allowedRemovals)
            try store.set(.allowedRemovals, nil)
            return text
        }
    }
}
