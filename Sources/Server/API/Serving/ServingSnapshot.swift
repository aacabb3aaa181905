import HearthCatalog
import HearthConfiguration
import HearthCrypto
import HearthExperiments
import HearthStorage
import HearthTargeting

/// All that is needed to check a caller and to answer a device, in memory and immutable: a device's question reads no
/// database.
final class ServingSnapshot: Sendable {
    /// One project's part. By reference, as all that each device's question looks at.
    final class ProjectPart: Sendable {
        let project: Project
        /// By the hash of the key; ended ones too.
        let apiKeys: [SHA256Digest: ServedKey]
        /// Releases that have not ended, newest first, by the model's display name.
        let releases: [String: [TargetedRelease]]
        let template: ServedTemplate?
        let experiments: ServedExperiments

        init(
            project: Project, apiKeys: [APIKey], releases: [TargetedRelease], template: ServedTemplate?,
            experiments: [ServedExperiment]
        ) {
            self.project = project
            self.template = template
            self.experiments = ServedExperiments(experiments)
            let keys = apiKeys.compactMap { key in SHA256Digest(hex: key.secretHash).map { ($0, ServedKey(key)) } }
            self.apiKeys = Dictionary(keys, uniquingKeysWith: { _, last in last })
            self.releases = Dictionary(grouping: releases, by: \.served.displayName)
        }
    }

    final class ServedKey: Sendable {
        let record: APIKey
        private let endsMicroseconds: Int64

        init(_ record: APIKey) {
            self.record = record
            endsMicroseconds = record.hasEnded ? .min : record.endsMicroseconds ?? .max
        }

        func isActive(atMicroseconds now: Int64) -> Bool { endsMicroseconds > now }
    }

    let revision: UInt64
    let projects: [String: ProjectPart]
    let admins: AdminDirectory

    /// - Parameters:
    ///   - old: the snapshot before, of which templates and conditions that are still there are taken over.
    ///   - prepared: templates that are compiled already, by project.
    init(
        revision: UInt64, reader: any MetadataReader, old: ServingSnapshot?,
        prepared: [String: ServedTemplate.Content], recent: RecentConditions, log: @escaping @Sendable (String) -> Void
    ) throws {
        self.revision = revision
        let apiKeys = Dictionary(grouping: try reader.apiKeys(), by: \.projectID)
        let conditions = ServedConditions(old, recent: recent, log: log)
        let releases = Dictionary(
            grouping: try reader.servedReleases().map { TargetedRelease($0, condition: conditions.condition(of: $0)) },
            by: \.served.projectID)
        let known = (old?.projects ?? [:]).compactMapValues(\.template)
        let templates = try ServedTemplate.all(reader, known: known, prepared: prepared)
        let experiments = try reader.runningExperiments().compactMap {
            try ServedExperiment($0, reader, conditions)
        }
        let experimentsByProject = Dictionary(grouping: experiments, by: \.experiment.projectID)
        let parts = try reader.projects().map { project in
            ProjectPart(
                project: project, apiKeys: apiKeys[project.id] ?? [], releases: releases[project.id] ?? [],
                template: templates[project.id], experiments: experimentsByProject[project.id] ?? [])
        }
        projects = Dictionary(uniqueKeysWithValues: parts.map { ($0.project.id, $0) })
        admins = AdminDirectory(
            accounts: try reader.serviceAccounts(), keys: try reader.accountKeys(), tokens: try reader.adminTokens())
    }
}
