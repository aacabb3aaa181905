import HearthCatalog

/// The look-ups of one transaction over `MemoryTables`; the changes are in `MemorySession+Changes`.
final class MemorySession {
    var tables: MemoryTables
    /// Whether a change was made that a serving snapshot shows.
    var changesServing = false

    init(_ tables: MemoryTables) { self.tables = tables }
}

extension MemorySession: MetadataReader {
    func projects() -> [Project] { tables.projects.values.sorted { $0.id < $1.id } }
    func project(id: String) -> Project? { tables.projects[id] }

    func serviceAccount(email: String) -> ServiceAccount? { tables.accounts[email] }
    func serviceAccounts() -> [ServiceAccount] { tables.accounts.values.sorted { $0.email < $1.email } }
    func accountKey(id: String) -> AccountKey? { tables.accountKeys[id] }
    func accountKey(clientID: String) -> AccountKey? { tables.accountKeys.values.first { $0.clientID == clientID } }

    func accountKeys() -> [AccountKey] {
        tables.accountKeys.values.sorted { ($0.createdMicroseconds, $0.id) < ($1.createdMicroseconds, $1.id) }
    }

    func apiKey(id: String, project: String) -> APIKey? {
        tables.apiKeys[id].flatMap { $0.projectID == project ? $0 : nil }
    }

    func apiKeys() -> [APIKey] {
        tables.apiKeys.values.sorted { ($0.createdMicroseconds, $0.id) < ($1.createdMicroseconds, $1.id) }
    }

    func adminToken(id: String) -> AdminToken? { tables.adminTokens[id] }

    func adminTokens() -> [AdminToken] {
        tables.adminTokens.values.sorted { ($0.createdMicroseconds, $0.id) < ($1.createdMicroseconds, $1.id) }
    }

    func installation(fid: String, project: String) -> Installation? {
        tables.installations[MemoryTables.InstallationKey(project: project, fid: fid)]
    }

    func installationCount(project: String) -> Int {
        tables.installations.keys.count { $0.project == project }
    }

    func clockMark() -> ClockMark? { tables.clockMark }

    func model(id: Int64, project: String) -> Model? {
        tables.models[id].flatMap { $0.projectID == project ? $0 : nil }
    }

    func model(displayName: String, project: String) -> Model? {
        tables.models.values.first { $0.projectID == project && $0.displayName == displayName }
    }

    func models(project: String, after: Int64, limit: Int) -> [Model] {
        let found = tables.models.values.filter { $0.projectID == project && $0.id > after }
        return Array(found.sorted { $0.id < $1.id }.prefix(limit))
    }

    func modelsToPublish(sha256: String) -> [Model] {
        let waiting = tables.models.values.filter { model in
            model.publishWhenValidated.flatMap { version($0, model: model.id) }?.sha256 == sha256
        }
        return waiting.sorted { $0.id < $1.id }
    }

    func version(_ number: Int, model: Int64) -> ModelVersion? {
        tables.versions[MemoryTables.NumberKey(model: model, number: number)]
    }

    func versions(model: Int64) -> [ModelVersion] {
        tables.versions.values.filter { $0.modelID == model }.sorted { $0.number < $1.number }
    }

    func release(_ number: Int, model: Int64) -> Release? {
        tables.releases[MemoryTables.NumberKey(model: model, number: number)]
    }

    func releases(model: Int64) -> [Release] {
        tables.releases.values.filter { $0.modelID == model }.sorted { $0.number > $1.number }
    }

    func servedReleases() -> [ServedRelease] {
        let served = tables.releases.values.filter { $0.endedMicroseconds == nil }.compactMap { release in
            tables.models[release.modelID].flatMap { model in
                version(release.version, model: model.id).map { version in
                    ServedRelease(
                        projectID: model.projectID, displayName: model.displayName, release: release,
                        sha256: version.sha256, sizeBytes: version.sizeBytes)
                }
            }
        }
        return served.sorted {
            ($0.release.modelID, $1.release.number) < ($1.release.modelID, $0.release.number)
        }
    }

    func object(bucket: String, name: String, project: String) -> UploadedObject? {
        tables.objects[MemoryTables.ObjectKey(project: project, bucket: bucket, name: name)]
    }

    func objects(project: String) -> [UploadedObject] {
        tables.objects.values.filter { $0.projectID == project }
            .sorted { ($0.bucket, $0.name) < ($1.bucket, $1.name) }
    }

    func validation(sha256: String) -> Validation? { tables.validations[sha256] }
    func validations() -> [Validation] { tables.validations.values.sorted { $0.sha256 < $1.sha256 } }

    func pendingValidations() -> [Validation] {
        tables.validations.values.filter { $0.verdict == .pending }
            .sorted { ($0.requestedMicroseconds, $0.sha256) < ($1.requestedMicroseconds, $1.sha256) }
    }

    func referencedHashes() -> Set<String> {
        Set(tables.versions.values.map(\.sha256)).union(tables.objects.values.map(\.sha256))
            .union(tables.sessions.values.filter { $0.finishedMicroseconds == nil }.compactMap(\.sha256))
    }

    func isReferenced(sha256: String) -> Bool { referencedHashes().contains(sha256) }

    func hasVersion(of object: UploadedObject) -> Bool {
        tables.versions.values.contains { version in
            version.sha256 == object.sha256 && version.sourceURI == object.uri
                && tables.models[version.modelID]?.projectID == object.projectID
        }
    }

    func uploadSession(id: String) -> UploadSession? { tables.sessions[id] }

    func uploadSessions() -> [UploadSession] {
        tables.sessions.values.sorted { ($0.createdMicroseconds, $0.id) < ($1.createdMicroseconds, $1.id) }
    }

    func template(project: String, namespace: String, number: Int64?) -> TemplateVersion? {
        guard let number = number ?? templates(project, namespace).first?.number else { return nil }
        return tables.templates[MemoryTables.TemplateKey(project: project, namespace: namespace, number: number)]
    }

    func templateHistory(
        project: String, namespace: String, before: Int64?, madeIn times: Range<Int64>, limit: Int
    ) -> [TemplateVersion] {
        let found = templates(project, namespace).filter {
            $0.number < before ?? .max && times.contains($0.createdMicroseconds)
        }
        return found.prefix(limit).map { version in
            var version = version
            version.body = ""
            return version
        }
    }

    /// Newest first.
    func templates(_ project: String, _ namespace: String) -> [TemplateVersion] {
        tables.templates.values.filter { $0.projectID == project && $0.namespace == namespace }
            .sorted { $0.number > $1.number }
    }

    func activeTemplateNumbers(namespace: String) -> [String: Int64] {
        let numbers = tables.templates.keys.filter { $0.namespace == namespace }.map { ($0.project, $0.number) }
        return Dictionary(numbers, uniquingKeysWith: max)
    }

    func audit(project: String?, matching filter: AuditFilter, before: Int64?, limit: Int) -> [AuditEntry] {
        let found = tables.audit.reversed().lazy.filter { entry in
            (project == nil || entry.projectID == project) && entry.id < before ?? .max && filter.matches(entry)
        }
        return Array(found.prefix(limit))
    }
}
