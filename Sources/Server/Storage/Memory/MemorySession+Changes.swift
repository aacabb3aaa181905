import HearthCatalog

extension MemorySession: MetadataWriter {
    func insert(_ project: Project) throws {
        guard tables.projects[project.id] == nil,
            !tables.projects.values.contains(where: { $0.number == project.number })
        else { throw Self.conflict("project", project.id) }
        tables.projects[project.id] = project
        changesServing = true
    }

    func delete(_ project: Project) throws {
        guard !tables.models.values.contains(where: { $0.projectID == project.id }) else {
            throw StorageError(.conflict, "The project \(project.id) has models")
        }
        try remove(project.id, from: \.projects, "project")
        let emails = Set(tables.accounts.values.filter { $0.projectID == project.id }.map(\.email))
        tables.accounts = tables.accounts.filter { !emails.contains($0.key) }
        tables.accountKeys = tables.accountKeys.filter { !emails.contains($0.value.email) }
        tables.apiKeys = tables.apiKeys.filter { $0.value.projectID != project.id }
        tables.adminTokens = tables.adminTokens.filter { $0.value.projectID != project.id }
        tables.installations = tables.installations.filter { $0.key.project != project.id }
        tables.objects = tables.objects.filter { $0.key.project != project.id }
        tables.sessions = tables.sessions.filter { $0.value.projectID != project.id }
        tables.templates = tables.templates.filter { $0.key.project != project.id }
        deleteExperiments(project: project.id)
        changesServing = true
    }

    func insert(_ account: ServiceAccount) throws {
        try checkOwner(project: account.projectID)
        guard tables.accounts[account.email] == nil else { throw Self.conflict("service account", account.email) }
        tables.accounts[account.email] = account
        changesServing = true
    }

    func update(_ account: ServiceAccount) throws { try replace(account, at: account.email, in: \.accounts) }

    func insert(_ key: AccountKey) throws {
        guard tables.accounts[key.email] != nil else { throw Self.orphan("service account", key.email) }
        guard tables.accountKeys[key.id] == nil, accountKey(clientID: key.clientID) == nil else {
            throw Self.conflict("key", key.id)
        }
        tables.accountKeys[key.id] = key
        changesServing = true
    }

    func update(_ key: AccountKey) throws { try replace(key, at: key.id, in: \.accountKeys) }

    func insert(_ key: APIKey) throws {
        try checkOwner(project: key.projectID)
        guard tables.apiKeys[key.id] == nil,
            !tables.apiKeys.values.contains(where: { $0.secretHash == key.secretHash })
        else { throw Self.conflict("API key", key.id) }
        tables.apiKeys[key.id] = key
        changesServing = true
    }

    func update(_ key: APIKey) throws { try replace(key, at: key.id, in: \.apiKeys) }

    func insert(_ token: AdminToken) throws {
        if let project = token.projectID { try checkOwner(project: project) }
        guard tables.adminTokens[token.id] == nil else { throw Self.conflict("token", token.id) }
        tables.adminTokens[token.id] = token
        changesServing = true
    }

    func update(_ token: AdminToken) throws { try replace(token, at: token.id, in: \.adminTokens) }

    func insert(_ installation: Installation) throws {
        try checkOwner(project: installation.projectID)
        let key = MemoryTables.InstallationKey(project: installation.projectID, fid: installation.fid)
        guard tables.installations[key] == nil else { throw Self.conflict("installation", installation.fid) }
        tables.installations[key] = installation
    }

    func delete(_ installation: Installation) throws {
        let key = MemoryTables.InstallationKey(project: installation.projectID, fid: installation.fid)
        try remove(key, from: \.installations, "installation")
    }

    func put(_ mark: ClockMark) { tables.clockMark = mark }

    func nextModelID() -> Int64 {
        tables.lastModelID += 1
        return tables.lastModelID
    }

    func insert(_ model: Model) throws {
        try checkOwner(project: model.projectID)
        guard tables.models[model.id] == nil,
            self.model(displayName: model.displayName, project: model.projectID) == nil
        else { throw Self.conflict("model", model.displayName) }
        tables.models[model.id] = model
        changesServing = true
    }

    func update(_ model: Model) throws {
        if let other = self.model(displayName: model.displayName, project: model.projectID), other.id != model.id {
            throw Self.conflict("model", model.displayName)
        }
        try replace(model, at: model.id, in: \.models)
    }

    func delete(_ model: Model) throws {
        try remove(model.id, from: \.models, "model")
        tables.versions = tables.versions.filter { $0.key.model != model.id }
        tables.releases = tables.releases.filter { $0.key.model != model.id }
        changesServing = true
    }

    func insert(_ version: ModelVersion) throws {
        _ = try StoredSize.integer(version.sizeBytes)
        guard tables.models[version.modelID] != nil else { throw Self.orphan("model", "\(version.modelID)") }
        let key = MemoryTables.NumberKey(model: version.modelID, number: version.number)
        guard tables.versions[key] == nil else { throw Self.conflict("version", "\(version.number)") }
        tables.versions[key] = version
        changesServing = true
    }

    func insert(_ release: Release) throws {
        guard version(release.version, model: release.modelID) != nil else {
            throw Self.orphan("version", "\(release.version)")
        }
        let key = MemoryTables.NumberKey(model: release.modelID, number: release.number)
        guard tables.releases[key] == nil else { throw Self.conflict("release", "\(release.number)") }
        tables.releases[key] = release
        changesServing = true
    }

    func update(_ release: Release) throws {
        let key = MemoryTables.NumberKey(model: release.modelID, number: release.number)
        try replace(release, at: key, in: \.releases)
    }

    func put(_ object: UploadedObject) throws {
        _ = try StoredSize.integer(object.sizeBytes)
        try checkOwner(project: object.projectID)
        tables.objects[Self.key(of: object)] = object
    }

    func delete(_ object: UploadedObject) throws { try remove(Self.key(of: object), from: \.objects, "object") }

    func put(_ validation: Validation) throws {
        _ = try StoredSize.integer(validation.sizeBytes)
        tables.validations[validation.sha256] = validation
        if case .malformed = validation.verdict { changesServing = true }
    }

    func delete(_ validation: Validation) throws { try remove(validation.sha256, from: \.validations, "validation") }

    func insert(_ session: UploadSession) throws {
        try checkOwner(project: session.projectID)
        if let total = session.totalBytes { _ = try StoredSize.integer(total) }
        guard tables.sessions[session.id] == nil else { throw Self.conflict("upload", session.id) }
        tables.sessions[session.id] = session
    }

    func update(_ session: UploadSession) throws {
        guard tables.sessions[session.id] != nil else { throw Self.missing("upload") }
        tables.sessions[session.id] = session
    }

    func delete(_ session: UploadSession) throws { try remove(session.id, from: \.sessions, "upload") }

    func insert(_ template: TemplateVersion) throws {
        try checkOwner(project: template.projectID)
        let key = MemoryTables.TemplateKey(
            project: template.projectID, namespace: template.namespace, number: template.number)
        guard tables.templates[key] == nil else { throw Self.conflict("template version", "\(template.number)") }
        tables.templates[key] = template
        changesServing = true
    }

    func deleteTemplates(project: String, namespace: String, keeping: Int, createdBefore microseconds: Int64) {
        for (place, old) in templates(project, namespace).enumerated().dropFirst()
        where place >= keeping || old.createdMicroseconds < microseconds {
            tables.templates[
                MemoryTables.TemplateKey(project: project, namespace: namespace, number: old.number)] = nil
        }
    }

    func append(_ entry: AuditEntry) {
        var entry = entry
        entry.id = (tables.audit.last?.id ?? 0) + 1
        tables.audit.append(entry)
    }

    private static func key(of object: UploadedObject) -> MemoryTables.ObjectKey {
        MemoryTables.ObjectKey(project: object.projectID, bucket: object.bucket, name: object.name)
    }

    /// Changes a record that a serving snapshot shows.
    func replace<Key: Hashable, Record>(
        _ record: Record, at key: Key, in table: WritableKeyPath<MemoryTables, [Key: Record]>
    ) throws {
        guard tables[keyPath: table][key] != nil else { throw Self.missing("\(Record.self)") }
        tables[keyPath: table][key] = record
        changesServing = true
    }

    func remove<Key: Hashable, Record>(
        _ key: Key, from table: WritableKeyPath<MemoryTables, [Key: Record]>, _ kind: String
    ) throws {
        guard tables[keyPath: table].removeValue(forKey: key) != nil else { throw Self.missing(kind) }
    }

    func checkOwner(project: String) throws {
        guard tables.projects[project] != nil else { throw Self.orphan("project", project) }
    }

    static func orphan(_ kind: String, _ name: String) -> StorageError {
        StorageError(.conflict, "There is no \(kind) \(name) that this could belong to")
    }

    static func conflict(_ kind: String, _ name: String) -> StorageError {
        StorageError(.conflict, "There is a \(kind) \(name) already")
    }

    private static func missing(_ kind: String) -> StorageError {
        StorageError(.notFound, "There is no such \(kind)")
    }
}
