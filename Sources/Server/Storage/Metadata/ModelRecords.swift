public import HearthCatalog

extension MetadataReader {
    /// A version with what is known about its bytes; nil for no number, and for one that is not there.
    public func known(_ number: Int?, of model: Model) throws -> ModelLifecycle.KnownVersion? {
        guard let number, let version = try version(number, model: model.id),
            let validation = try validation(sha256: version.sha256)
        else { return nil }
        return ModelLifecycle.KnownVersion(version: version, validation: validation)
    }

    /// All that the rules of a model's life look at, as it is at that moment.
    public func state(of model: Model, nowMicroseconds: Int64) throws -> ModelLifecycle.State {
        let releases = try releases(model: model.id)
        let lastReleased = ReleaseLifecycle.lastReleasedVersion(releases, nowMicroseconds: nowMicroseconds)
        return ModelLifecycle.State(
            model: model, newest: try known(model.newestVersion, of: model),
            lastReleased: try known(lastReleased, of: model), releases: releases)
    }
}

extension MetadataWriter {
    /// Writes what the rules of a model's life decided. The model itself is there already.
    public func save(_ change: ModelLifecycle.Change) throws {
        if try model(id: change.model.id, project: change.model.projectID) != change.model { try update(change.model) }
        if let version = change.newVersion { try insert(version) }
        for release in change.changedReleases { try update(release) }
        for release in change.newReleases { try insert(release) }
        for entry in change.audit { try append(entry) }
    }
}
