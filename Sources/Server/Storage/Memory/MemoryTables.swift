import HearthCatalog

/// The whole state of a `MemoryMetadataStore`, as a value.
struct MemoryTables {
    struct ObjectKey: Hashable {
        var project, bucket, name: String
    }

    struct NumberKey: Hashable {
        var model: Int64
        var number: Int
    }

    struct InstallationKey: Hashable {
        var project, fid: String
    }

    struct ExperimentKey: Hashable {
        var project, name: String
    }

    struct JournalKey: Hashable {
        var project, installation, name: String
    }

    struct EventDayKey: Hashable {
        var project: String
        var day: Int64
        var event, model: String
    }

    struct TemplateKey: Hashable {
        var project, namespace: String
        var number: Int64
    }

    var projects: [String: Project] = [:]
    var accounts: [String: ServiceAccount] = [:]
    var accountKeys: [String: AccountKey] = [:]
    var apiKeys: [String: APIKey] = [:]
    var adminTokens: [String: AdminToken] = [:]
    var installations: [InstallationKey: Installation] = [:]
    var models: [Int64: Model] = [:]
    var versions: [NumberKey: ModelVersion] = [:]
    var releases: [NumberKey: Release] = [:]
    var objects: [ObjectKey: UploadedObject] = [:]
    var validations: [String: Validation] = [:]
    var sessions: [String: UploadSession] = [:]
    var templates: [TemplateKey: TemplateVersion] = [:]
    var experiments: [ExperimentKey: ExperimentRecord] = [:]
    /// By installation.
    var units: [ExperimentKey: [String: ExperimentUnit]] = [:]
    var journals: [JournalKey: EventJournal] = [:]
    var eventDays: [EventDayKey: EventDay] = [:]
    var audit: [AuditEntry] = []
    var lastModelID: Int64 = 1_000_000
    var clockMark: ClockMark?
}
