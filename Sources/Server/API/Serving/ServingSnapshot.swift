import HearthCatalog
import HearthStorage

/// All that is needed to check a caller and to answer a device, in memory and immutable: a device's question reads no
/// database.
final class ServingSnapshot: Sendable {
    /// One project's part.
    struct ProjectPart: Sendable {
        var project: Project
        /// By the hash of the key; ended ones too.
        var apiKeys: [String: APIKey] = [:]
        /// Releases that have not ended, newest first, by the model's display name.
        var releases: [String: [ServedRelease]] = [:]
    }

    let revision: UInt64
    let projects: [String: ProjectPart]
    let admins: AdminDirectory

    init(revision: UInt64, reader: any MetadataReader) throws {
        self.revision = revision
        var parts = Dictionary(uniqueKeysWithValues: try reader.projects().map { ($0.id, ProjectPart(project: $0)) })
        for key in try reader.apiKeys() { parts[key.projectID]?.apiKeys[key.secretHash] = key }
        for served in try reader.servedReleases() {
            parts[served.projectID]?.releases[served.displayName, default: []].append(served)
        }
        projects = parts
        admins = AdminDirectory(
            accounts: try reader.serviceAccounts(), keys: try reader.accountKeys(), tokens: try reader.adminTokens())
    }
}
