package import HearthCatalog
import HearthConcurrency
import HearthCrypto
import HearthExperiments
import HearthRemoteConfigTemplates
package import HearthStorage
package import HearthTargeting
import HearthWire

/// All that is needed to check a caller and to answer a device, in memory and immutable, so that a device's call does
/// not read the database.
package final class ServingSnapshot: Sendable {
    /// What one project contributes. A class, because each device's call uses it.
    package final class ProjectPart: Sendable {
        package let project: Project
        /// By the hash of the key. Ended keys are included.
        private let apiKeys: [SHA256Digest: ServedKey]
        /// Those that were looked up before, by the key: to hash it takes longer.
        private let knownKeys = Lock<[String: ServedKey]>([:])
        /// Releases that have not ended, newest first, by the model's display name.
        package let releases: [String: [TargetedRelease]]
        package let template: ServedTemplate?
        package let experiments: ServedExperiments
        /// Nil without pins, so that other projects' devices cost nothing more.
        package let pins: ServedPins?

        init(
            project: Project, apiKeys: [APIKey], releases: [TargetedRelease], template: ServedTemplate?,
            experiments: ServedExperiments, pins: ServedPins?
        ) {
            self.project = project
            self.template = template
            self.experiments = experiments
            self.pins = pins
            let keys = apiKeys.compactMap { key in SHA256Digest(hex: key.secretHash).map { ($0, ServedKey(key)) } }
            self.apiKeys = Dictionary(keys, uniquingKeysWith: { _, last in last })
            self.releases = Dictionary(grouping: releases, by: \.served.displayName)
        }

        /// The API key with that text, even if it has ended.
        package func apiKey(_ text: String) -> ServedKey? {
            if let known = knownKeys.withLock({ $0[text] }) { return known }
            guard let key = apiKeys[SecretHash.digest(of: text)] else { return nil }
            knownKeys.withLock { $0[text] = key }
            return key
        }
    }

    /// An API key, prepared for the check of its end.
    package final class ServedKey: Sendable {
        package let record: APIKey
        private let endsMicroseconds: Int64

        init(_ record: APIKey) {
            self.record = record
            endsMicroseconds = record.hasEnded ? .min : record.endsMicroseconds ?? .max
        }

        package func isActive(atMicroseconds now: Int64) -> Bool { endsMicroseconds > now }
    }

    let revision: UInt64
    /// The history of the database that it was read from, or of the one before.
    let history: UInt64
    package let projects: [String: ProjectPart]
    private let projectsByNumber: [Int64: ProjectPart]
    package let admins: AdminDirectory

    /// - Parameters:
    ///   - old: the previous snapshot. The new one reuses its conditions, and, within one history of the database, its templates
    ///     that have not changed.
    ///   - prepared: templates that are compiled already, by project.
    package init(
        revision: UInt64, history: UInt64 = 0, reader: any MetadataReader, old: ServingSnapshot?,
        prepared: [String: ServedTemplate.Content], recent: ConditionCache, log: @escaping @Sendable (String) -> Void
    ) throws {
        self.revision = revision
        self.history = history
        let apiKeys = Dictionary(grouping: try reader.apiKeys(), by: \.projectID)
        let conditions = ServedConditions(old, recent: recent, log: log)
        let releases = Dictionary(
            grouping: try reader.servedReleases().map { TargetedRelease($0, condition: conditions.condition(of: $0)) },
            by: \.served.projectID)
        let known = (old?.projects ?? [:]).compactMapValues(\.template)
        let isSameHistory = old?.history == history
        let templates = try ServedTemplate.all(reader, known: known, isSameHistory: isSameHistory, prepared: prepared)
        let experiments = try reader.runningExperiments().compactMap {
            try ServedExperiment($0, reader, conditions)
        }
        let experimentsByProject = Dictionary(grouping: experiments, by: \.experiment.projectID)
        let pins = Dictionary(grouping: try reader.pins(project: nil), by: \.projectID)
        let parts = try reader.projects().map { project in
            let experiments = ServedExperiments(experimentsByProject[project.id] ?? [])
            return ProjectPart(
                project: project, apiKeys: apiKeys[project.id] ?? [], releases: releases[project.id] ?? [],
                template: templates[project.id], experiments: experiments,
                pins: try pins[project.id].map { try ServedPins($0, experiments, reader) })
        }
        projects = Dictionary(uniqueKeysWithValues: parts.map { ($0.project.id, $0) })
        projectsByNumber = Dictionary(parts.map { ($0.project.number, $0) }, uniquingKeysWith: { first, _ in first })
        admins = AdminDirectory(
            accounts: try reader.serviceAccounts(), keys: try reader.accountKeys(), tokens: try reader.adminTokens())
    }
}

extension ServingSnapshot {
    /// The project that a path names, by its id or by its number.
    package func project(named name: String) -> ProjectPart? {
        projects[name] ?? Int64(name).flatMap { projectsByNumber[$0] }
    }
}

extension ServingSnapshot.ProjectPart {
    /// The conditions of its releases under way and of its running experiments.
    package var conditions: [LazyCondition] {
        releases.values.flatMap { $0.compactMap(\.condition) } + experiments.all.compactMap(\.audience)
    }
}
