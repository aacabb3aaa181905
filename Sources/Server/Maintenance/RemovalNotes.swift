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
