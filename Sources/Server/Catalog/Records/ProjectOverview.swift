/// Numbers about a project.
package struct ProjectCounts: Sendable, Hashable {
    package var models: Int
    package var publishedModels: Int
    package var installations: Int

    package init(models: Int, publishedModels: Int, installations: Int) {
        self.models = models
        self.publishedModels = publishedModels
        self.installations = installations
    }
}

/// A model, as far as a search needs it.
package struct SearchableModel: Sendable, Hashable {
    package var id: Int64
    package var displayName: String
    package var tags: [String]

    package init(id: Int64, displayName: String, tags: [String]) {
        self.id = id
        self.displayName = displayName
        self.tags = tags
    }
}

/// A release that somebody ended, or that a guard ended; not one that a newer release replaced.
package struct EndedRelease: Sendable, Hashable {
    package var displayName: String
    package var release: Release
    /// Who made the change: `server` for a guard.
    package var actor: String
    /// The audit action of the change that ended it.
    package var action: String

    /// The changes that end releases on purpose.
    package static let actions = ["release.end", "release.rollback", "model.unpublish"]

    package init(displayName: String, release: Release, actor: String, action: String) {
        self.displayName = displayName
        self.release = release
        self.actor = actor
        self.action = action
    }
}

/// A model's newest version, with what keeps it from being released.
package struct HeldVersion: Sendable, Hashable {
    package var modelID: Int64
    package var displayName: String
    package var version: Int
    package var createdMicroseconds: Int64

    package init(modelID: Int64, displayName: String, version: Int, createdMicroseconds: Int64) {
        self.modelID = modelID
        self.displayName = displayName
        self.version = version
        self.createdMicroseconds = createdMicroseconds
    }
}

/// The newest rehearsal of a model's newest version, which not all devices get.
package struct GatedVersion: Sendable, Hashable {
    package var version: HeldVersion
    /// What the model requires, in the form of `RehearsalGate`.
    package var gate: String
    /// JSON of `RehearsalBodies.Summary`.
    package var summaryJSON: String

    package init(version: HeldVersion, gate: String, summaryJSON: String) {
        self.version = version
        self.gate = gate
        self.summaryJSON = summaryJSON
    }
}

/// A file of a project that waits for its validation.
package struct PendingFile: Sendable, Hashable {
    /// Lower-case hex.
    package var sha256: String
    package var requestedMicroseconds: Int64
    /// Why there is no verdict yet, in one line; nil if the file only waits for its turn.
    package var note: String?
    /// Nil for an upload of which no version was made.
    package var version: HeldVersion?

    package init(sha256: String, requestedMicroseconds: Int64, note: String?, version: HeldVersion?) {
        self.sha256 = sha256
        self.requestedMicroseconds = requestedMicroseconds
        self.note = note
        self.version = version
    }
}
