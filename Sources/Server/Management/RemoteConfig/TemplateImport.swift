import HearthCalls
import HearthCatalog
import HearthHTTP
import HearthRemoteConfigTemplates
import HearthRouting
import HearthServing
import HearthStorage
import HearthTargeting
import HearthWire

/// Puts versions of another service's template into a project's history, with their own numbers, times and authors.
struct TemplateImport: Sendable {
    let context: RouteContext

    /// The highest number that an imported version may have: there must be room above it for the versions made here.
    private static let largestNumber: Int64 = 1_000_000_000
    /// The other service's clock may be ahead of this one.
    private static let futureMicroseconds: Int64 = 86_400_000_000
    /// The versions of a history during an import: those of the other service and those made here.
    private static let versionLimit = 2 * TemplateLimits.versions

    /// `POST …/remoteConfig:importVersion`. The body is the template as the other service answers it, with its version.
    ///
    /// A version below the active one changes nothing for devices. A version above it becomes the active one only with
    /// `activate=true`. The first version of a project becomes the active one.
    func add(_ call: PrepareCall<RemoteConfigTemplate>) throws -> PendingAnswer<TemplateImportBodies.Result> {
        let target = try TemplatePath(call.path)
        var template = try RequestJSON.decodeLenient(
            RemoteConfigTemplate.self, call.bytes, what: "a Remote Config template")
        let imported = try ImportedVersion(template.version, nowMicroseconds: context.nowMicroseconds)
        template.version = nil
        let body = String(decoding: try WireJSON.encode(template), as: UTF8.self)
        let version = imported.record(project: call.project.id, namespace: target.namespace.rawValue, body: body)
        let mayReplace = call.query.first("activate") == "true"
        let active = try call.read { try self.active(version, $0) }
        let becomesActive = active.map { $0.number < version.number } ?? true
        let compiled = try check(template, target.namespace, becomesActive: becomesActive)
        return call.afterWrite { call in
            let place = try write(version, compiled, call) { store in
                let now = try self.active(version, store)
                // Another call has changed the template since the check above, which would have been a different one.
                guard now?.number == active?.number else { throw Self.conflict }
                return try insert(version, over: now, mayReplace: mayReplace, call.caller, store)
            }
            return TemplateImportBodies.Result(version: TemplatePresentation.version(version), place: place.rawValue)
        }
    }

    /// - Parameter change: returns the place of the version.
    private func write(
        _ version: TemplateVersion, _ compiled: CompiledTemplate?, _ call: ChangeCall<RemoteConfigTemplate>,
        _ change: (any MetadataWriter) throws -> TemplateImportBodies.Place
    ) throws -> TemplateImportBodies.Place {
        do {
            return try call.write { store in
                let place = try change(store)
                if let compiled, place == .active {
                    context.serving.prepare(
                        ServedTemplate.Content(number: version.number, compiled: compiled), for: version.projectID)
                }
                return place
            }
        } catch {
            if compiled != nil { context.serving.prepare(nil, for: version.projectID) }
            throw error
        }
    }

    private func insert(
        _ version: TemplateVersion, over active: TemplateVersion?, mayReplace: Bool, _ call: AdminCall,
        _ store: any MetadataWriter
    ) throws -> TemplateImportBodies.Place {
        let (project, namespace) = (version.projectID, version.namespace)
        if let known = try store.template(project: project, namespace: namespace, number: version.number) {
            guard known.body == version.body, known.createdMicroseconds == version.createdMicroseconds else {
                throw APIError(
                    .alreadyExists,
                    "Version \(version.number) of the template is another one here. Import into a project without a template."
                )
            }
            return .unchanged
        }
        let isActive = active.map { $0.number < version.number } ?? true
        guard !isActive || active == nil || mayReplace else {
            throw APIError(
                .failedPrecondition,
                "Version \(version.number) would replace the active version; devices would get it. Give activate=true.")
        }
        let count = try store.templateHistory(
            project: project, namespace: namespace, before: nil, madeIn: .min ..< .max, limit: Self.versionLimit
        ).count
        guard count < Self.versionLimit else {
            throw APIError(.failedPrecondition, "The history of the template has \(count) versions, and no more fit.")
        }
        try store.insert(version)
        try store.append(
            AuditEntry(
                projectID: project, actor: call.actor, action: "config.import",
                subject: "namespaces/\(namespace)/versions/\(version.number)",
                detail: "made by \(version.createdBy)", atMicroseconds: context.nowMicroseconds))
        return isActive ? .active : .history
    }

    /// Devices get the active template, so everything in it must be valid. A version of the history is stored even if
    /// this server does not understand its conditions: it is checked again before it can become active.
    private func check(
        _ template: RemoteConfigTemplate, _ namespace: TemplateNamespace, becomesActive: Bool
    ) throws(APIError) -> CompiledTemplate? {
        try TemplateEditing.mappingTemplateError { () throws(TemplateError) in
            guard becomesActive else {
                var form = template
                form.conditions = template.conditions?.map { RemoteConfigCondition(name: $0.name, expression: "true") }
                try TemplateValidator.check(form, namespace: namespace)
                return nil
            }
            let conditions = try TemplateValidator.check(template, namespace: namespace)
            return namespace == .client ? try CompiledTemplate(template, known: conditions) : nil
        }
    }

    private func active(_ version: TemplateVersion, _ store: any MetadataReader) throws -> TemplateVersion? {
        try store.template(project: version.projectID, namespace: version.namespace, number: nil)
    }

    private static let conflict = {
        var error = APIError(.unavailable, "The template was changed at the same time. Make the call again.")
        error.retryAfterSeconds = 1
        return error
    }()

    /// The version that came with a template, checked.
    private struct ImportedVersion {
        private let shown: RemoteConfigVersion
        private let number: Int64
        private let createdMicroseconds: Int64

        init(_ version: RemoteConfigVersion?, nowMicroseconds: Int64) throws(APIError) {
            guard let version else { throw .invalid("version", "This is missing.") }
            guard let number = version.versionNumber.flatMap({ Int64($0) }), (1...largestNumber).contains(number) else {
                throw .invalid(
                    "version.versionNumber", "This must be a version's number as text, 1 to \(largestNumber).")
            }
            guard let time = version.updateTime.flatMap({ Timestamp(rfc3339: $0) })?.microseconds, time > 0,
                time <= nowMicroseconds + futureMicroseconds
            else {
                throw .invalid(
                    "version.updateTime", "This must be a time in the past, such as 2026-11-21T13:00:00Z.")
            }
            let author = version.updateUser?.email ?? version.updateUser?.name ?? ""
            guard author.utf8.count <= 256 else { throw .invalid("version.updateUser", "This is too long.") }
            guard (version.description ?? "").unicodeScalars.count <= TemplateLimits.versionDescriptionLength else {
                throw .invalid("version.description", "This is too long.")
            }
            shown = version
            self.number = number
            createdMicroseconds = time
        }

        /// An origin or a kind that this server does not know becomes the usual one.
        func record(project: String, namespace: String, body: String) -> TemplateVersion {
            TemplateVersion(
                projectID: project, namespace: namespace, number: number, body: body,
                createdMicroseconds: createdMicroseconds,
                createdBy: shown.updateUser?.email ?? shown.updateUser?.name ?? "unknown",
                description: shown.description ?? "",
                origin: shown.updateOrigin.flatMap(TemplateVersion.Origin.init) ?? .rest,
                kind: shown.updateType.flatMap(TemplateVersion.Kind.init) ?? .incremental,
                rollbackSource: shown.rollbackSource.flatMap { Int64($0) })
        }
    }
}
