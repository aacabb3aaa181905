import HearthCatalog
import HearthServing
package import HearthStorage
import HearthTargeting

/// Checks whether records can answer devices, before a follower uses them.
package enum MirrorCheck {
    /// - Throws: if a record cannot be read or does not fit others.
    package static func check(_ store: any MetadataReader) throws {
        _ = try ServingSnapshot(
            revision: 0, reader: store, old: nil, prepared: [:], recent: ConditionCache(), log: { _ in })
        for project in try store.projects() {
            for model in try store.models(project: project.id, after: 0, limit: .max) {
                _ = try store.versions(model: model.id)
            }
        }
    }
}
