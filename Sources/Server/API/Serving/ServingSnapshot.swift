import HearthCatalog
import HearthCrypto
import HearthExperiments
import HearthRemoteConfigTemplates
import HearthStorage
import HearthTargeting
import HearthWire
import Synchronization

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
        prepared: [String: ServedTemplate.Content], recent: ConditionCache, log: @escaping @Sendable (String) -> Void
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

/// The conditions of releases and experiments for a new snapshot: those of the one before are taken over, those that were
/// just checked too, and all others are read when a device is asked about.
struct ServedConditions {
    private let known: [String: LazyCondition]
    private let recent: ConditionCache
    private let log: @Sendable (String) -> Void

    init(_ old: ServingSnapshot?, recent: ConditionCache, log: @escaping @Sendable (String) -> Void) {
        let all = (old?.projects ?? [:]).values.flatMap(\.conditions).map { ($0.text, $0) }
        known = Dictionary(all, uniquingKeysWith: { first, _ in first })
        self.recent = recent
        self.log = log
    }

    func condition(of release: ServedRelease) -> LazyCondition? {
        release.release.audience.condition.map { text in
            condition(text) {
                """
                project '\(release.projectID)': the condition of release \(release.release.number) of '\(release.displayName)' \
                cannot be used, nobody meets it: \($0)
                """
            }
        }
    }

    /// Nil for everybody.
    func audience(of experiment: Experiment) -> LazyCondition? {
        guard !experiment.audience.isEmpty else { return nil }
        return condition(experiment.audience) {
            """
            project '\(experiment.projectID)': the audience of the experiment '\(experiment.name)' cannot be used, nobody takes \
            part: \($0)
            """
        }
    }

    private func condition(
        _ text: String, _ line: @escaping @Sendable (ConditionSyntaxError) -> String
    ) -> LazyCondition {
        known[text]
            ?? LazyCondition(text, condition: recent.known(text)) { [log] in log(line($0)) }
    }
}

extension ServingSnapshot.ProjectPart {
    /// Those of its releases under way and of its running experiments.
    var conditions: [LazyCondition] {
        releases.values.flatMap { $0.compactMap(\.condition) } + experiments.all.compactMap(\.audience)
    }

    /// Whether the project may have this condition beside those that it has.
    ///
    /// - Throws: 400 where the regular expressions of all together need more than they may.
    func check(_ condition: Condition?, field: String) throws(APIError) {
        guard let condition, condition.instructions > 0 else { return }
        var instructions = condition.instructions
        var seen: Set<String> = [condition.text]
        for other in conditions where seen.insert(other.text).inserted {
            instructions += other.condition?.instructions ?? 0
            guard instructions <= ConditionLimits.projectInstructions else {
                let text = """
                    The regular expressions of the conditions of all releases under way and all running experiments of the project \
                    need more than \(ConditionLimits.projectInstructions) instructions together. End some of them, or write fewer \
                    or shorter expressions; contains and exactlyMatches need none.
                    """
                throw .invalid(field, text, message: text)
            }
        }
    }
}

/// Keeps the newest snapshot. A commit makes it old; the next caller makes the new one.
final class ServingState: Sendable {
    /// Conditions that were read to be checked and are about to be served.
    let conditions = ConditionCache()

    private let metadata: any MetadataStore
    private let log: @Sendable (String) -> Void
    /// Templates that were compiled to be checked and are about to be served, by project.
    private let prepared = Mutex<[String: ServedTemplate.Content]>([:])
    private let snapshot = Mutex<ServingSnapshot?>(nil)
    /// Held while a snapshot is made, so that of many callers one makes it and the others wait for it.
    private let building = Mutex<Void>(())

    init(_ metadata: any MetadataStore, log: @escaping @Sendable (String) -> Void) {
        self.metadata = metadata
        self.log = log
    }

    /// The snapshot that was made last, however old; nil where there is none. It reads nothing, so it may be asked for in a
    /// transaction.
    var last: ServingSnapshot? { snapshot.withLock { $0 } }

    /// What the project's devices are answered from once the template of that number is committed. Call it in the
    /// transaction, and with nil where that is not to be any more.
    func prepare(_ content: ServedTemplate.Content?, for project: String) {
        prepared.withLock { $0[project] = content }
    }

    /// Compiles the template where nobody did: not on the HTTP server's threads.
    func content(of template: ServedTemplate) throws -> ServedTemplate.Content {
        try template.content(from: metadata, log: log)
    }

    /// A snapshot that has every change that was committed before the call.
    func current() throws -> ServingSnapshot {
        let revision = metadata.servingRevision
        if let known = snapshot.withLock({ $0 }), known.revision >= revision { return known }
        return try building.withLock { _ in
            if let known = snapshot.withLock({ $0 }), known.revision >= revision { return known }
            // Before the read: a commit in between makes the snapshot newer than its revision says, never older.
            let revision = metadata.servingRevision
            let old = snapshot.withLock { $0 }
            let made = try metadata.read {
                try ServingSnapshot(
                    revision: revision, reader: $0, old: old, prepared: prepared.withLock { $0 }, recent: conditions,
                    log: log)
            }
            snapshot.withLock { $0 = made }
            // What is served is no longer needed here.
            prepared.withLock { prepared in
                prepared = prepared.filter { (made.projects[$0.key]?.template?.number ?? 0) < $0.value.number }
            }
            return made
        }
    }
}
