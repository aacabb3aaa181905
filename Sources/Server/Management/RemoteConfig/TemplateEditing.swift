import HearthCalls
import HearthCatalog
import HearthHTTP
import HearthRemoteConfigTemplates
import HearthRouting
import HearthServing
import HearthStorage
import HearthTargeting
import HearthWire

/// Changes of templates, one transaction each. A version never changes: each change creates the next version.
struct TemplateEditing: Sendable {
    let context: RouteContext

    /// `PUT …/remoteConfig`. Each condition is compiled once: the check compiles it, and the server answers devices
    /// with the result.
    func put(_ call: PrepareCall<RemoteConfigTemplate>) throws -> PendingResponse {
        let target = try TemplatePath(call.path)
        var template = try RequestJSON.decodeLenient(
            RemoteConfigTemplate.self, call.bytes, what: "a Remote Config template")
        let description = template.version?.description ?? ""
        try Self.mappingTemplateError { () throws(TemplateError) in try TemplateFieldCheck.check(call.bytes) }
        let conditions = try check(template, target.namespace, call)
        template.version = nil
        guard let shown = call.head.ifMatch else {
            throw Self.mismatch("Give If-Match with the ETag of the template that you looked at, or * for any.")
        }
        if ["validateOnly", "validate_only"].contains(where: { call.query.first($0) == "true" }) {
            try Self.check(shown, call.read { try active(call.caller, target, $0) }, call.caller)
            return .ready(
                try TemplatePresentation.response(
                    template, TemplateETag.validation(projectNumber: call.project.number)))
        }
        let new = NewTemplate(
            template: template, body: String(decoding: try WireJSON.encode(template), as: UTF8.self),
            compiled: try Self.compiled(template, target.namespace, conditions), description: description,
            origin: Self.origin(call.head))
        return try written(new, call) { call in
            try write(new, call, target) { active, _ in
                try Self.check(shown, active, call.caller)
                return (shown.isAny ? .forced : .incremental, nil)
            }
        }
    }

    /// `POST …/remoteConfig:rollback`: a new version with the content of an old one.
    func rollback(_ call: PrepareCall<NoBody>) throws -> PendingResponse {
        struct Body: Decodable {
            var versionNumber: String?
        }
        let target = try TemplatePath(call.path)
        let text =
            try call.query.first("versionNumber") ?? call.query.first("version_number")
            ?? (call.bytes.isEmpty
                ? nil : RequestJSON.decodeLenient(Body.self, call.bytes, what: "a version to go back to").versionNumber)
        let number = try Self.number(text ?? "", "version_number")
        let missing = APIError(.notFound, "There is no version \(number) of the template.")
        let old = try call.read {
            try $0.template(project: call.project.id, namespace: target.namespace.rawValue, number: number)
        }
        guard let old else { throw missing }
        let template = try old.template()
        // The old version was checked when it was put, but perhaps by an older server.
        var reader = ConditionReader(known: known(in: call.project.id))
        for condition in template.conditions ?? [] {
            do throws(ConditionSyntaxError) {
                _ = try reader.read(condition.expression)
            } catch {
                let text = "The condition '\(condition.name)' of version \(number) cannot be used: \(error)"
                throw APIError.invalid(
                    "version_number", text, message: text, condition: condition.name, column: error.column,
                    cause: error)
            }
        }
        let conditions = try check(template, target.namespace, call, known: reader.conditions)
        let new = NewTemplate(
            template: template, body: old.body,
            compiled: try Self.compiled(template, target.namespace, conditions),
            description: "Rollback to version \(number)", origin: Self.origin(call.head))
        return try written(new, call) { call in
            try write(new, call, target) { active, store in
                let isThere =
                    try store.template(
                        project: call.project.id, namespace: target.namespace.rawValue, number: number) != nil
                guard active != nil, isThere else { throw missing }
                return (.rollback, number)
            }
        }
    }

    /// A template that is about to be written.
    private struct NewTemplate: Sendable {
        let template: RemoteConfigTemplate
        let body: String
        /// Nil for a namespace that devices do not fetch from.
        let compiled: CompiledTemplate?
        let description: String
        let origin: TemplateVersion.Origin
    }

    /// Only the console's own calls have a caller that was checked before.
    private static func origin(_ head: RequestHead) -> TemplateVersion.Origin {
        head.checkedCaller == nil ? .rest : .console
    }

    /// The template as it is after `write`, which runs in the writers' queue.
    private func written<Body>(
        _ new: NewTemplate, _ call: PrepareCall<Body>,
        _ write: @escaping @Sendable (ChangeCall<Body>) throws -> TemplateVersion
    ) throws -> PendingResponse {
        try call.afterWrite(write).response { made in
            var shown = new.template
            shown.version = TemplatePresentation.version(made)
            return try TemplatePresentation.response(
                shown, TemplateETag.tag(projectNumber: call.project.number, version: made.number))
        }
    }

    /// - Parameter decide: refuses the change, or returns its kind and the version that it goes back to.
    private func write<Body>(
        _ new: NewTemplate, _ call: ChangeCall<Body>, _ target: TemplatePath,
        _ decide: (TemplateVersion?, any MetadataReader) throws -> (kind: TemplateVersion.Kind, source: Int64?)
    ) throws -> TemplateVersion {
        do {
            let made = try call.write { store in
                let active = try active(call.caller, target, store)
                let (kind, source) = try decide(active, store)
                let version = TemplateVersion(
                    projectID: call.project.id, namespace: target.namespace.rawValue, number: (active?.number ?? 0) + 1,
                    body: new.body, createdMicroseconds: context.nowMicroseconds, createdBy: call.actor,
                    description: new.description, origin: new.origin, kind: kind, rollbackSource: source)
                if let compiled = new.compiled { prepare(compiled, version) }
                return try add(version, store)
            }
            if let compiled = new.compiled { prepare(compiled, made, isCommitted: true) }
            return made
        } catch {
            if new.compiled != nil { context.serving.prepare(nil, for: call.project.id) }
            throw error
        }
    }

    private func prepare(_ compiled: CompiledTemplate?, _ version: TemplateVersion, isCommitted: Bool = false) {
        context.serving.prepare(
            compiled.map { ServedTemplate.Content(number: version.number, compiled: $0) }, for: version.projectID,
            isCommitted: isCommitted)
    }

    private func active(
        _ call: AdminCall, _ target: TemplatePath, _ store: any MetadataReader
    ) throws -> TemplateVersion? {
        try store.template(project: call.project.id, namespace: target.namespace.rawValue, number: nil)
    }

    private static func check(_ shown: EntityTags, _ active: TemplateVersion?, _ call: AdminCall) throws(APIError) {
        let present = TemplateETag.tag(projectNumber: call.project.number, version: active?.number ?? 0)
        guard shown.allow(present) else {
            throw mismatch("The template was changed meanwhile; it is \(present) now. Fetch it and try again.")
        }
    }

    /// A template that stands in the body of another call, checked like one that is put. The fields of errors begin with the
    /// member's name.
    func compiled(
        _ template: RemoteConfigTemplate, member: String, of bytes: [UInt8], _ namespace: TemplateNamespace,
        _ call: some DatabaseCall<AdminCall>
    ) throws -> CompiledTemplate {
        do {
            try Self.mappingTemplateError { () throws(TemplateError) in
                try TemplateFieldCheck.check(bytes, member: member)
            }
            let conditions = try check(template, namespace, call)
            return try Self.mappingTemplateError { () throws(TemplateError) in
                try CompiledTemplate(template, known: conditions)
            }
        } catch var error as APIError {
            for index in error.violations.indices {
                error.violations[index].field = "\(member).\(error.violations[index].field)"
            }
            throw error
        }
    }

    private static func compiled(
        _ template: RemoteConfigTemplate, _ namespace: TemplateNamespace, _ conditions: [String: Condition]
    ) throws(APIError) -> CompiledTemplate? {
        guard namespace == .client else { return nil }
        return try mappingTemplateError { () throws(TemplateError) in try CompiledTemplate(template, known: conditions)
        }
    }

    /// The compiled conditions of the template that devices get now: a change leaves most of them as they are.
    func known(in project: String) -> [String: Condition] {
        context.serving.last?.projects[project]?.template?.latest?.compiled?.conditionsByText ?? [:]
    }

    /// Appends a version of the devices' template: the active one with that change.
    func append(_ description: String, _ log: AuditLog, _ change: (inout RemoteConfigTemplate) -> Void) throws {
        let active = try active(log)
        var template = try active.map { try $0.template() } ?? RemoteConfigTemplate()
        let before = template
        change(&template)
        // The active template was checked when it was put. Rules that are stricter now are no reason to refuse an
        // experiment's rollout.
        guard template != before else { return try appendUnchanged(description, log) }
        _ = try Self.mappingTemplateError { () throws(TemplateError) in
            try TemplateValidator.check(
                template, namespace: .client, known: known(in: log.projectID), stored: before)
        }
        let body = String(decoding: try WireJSON.encode(template), as: UTF8.self)
        try append(body, after: active, compiled: nil, description, log)
    }

    /// Appends a version with the content of the active one, after another change of what devices get. Fast, however
    /// large the template is.
    func appendUnchanged(_ description: String, _ log: AuditLog) throws {
        let active = try active(log)
        let served = context.serving.last?.projects[log.projectID]?.template?.content
        let body = try active?.body ?? String(decoding: WireJSON.encode(RemoteConfigTemplate()), as: UTF8.self)
        let compiled = served?.number == active?.number ? served?.compiled : nil
        try append(body, after: active, compiled: compiled, description, log)
    }

    private func append(
        _ body: String, after active: TemplateVersion?, compiled: CompiledTemplate?, _ description: String,
        _ log: AuditLog
    ) throws {
        let version = TemplateVersion(
            projectID: log.projectID, namespace: TemplateNamespace.client.rawValue, number: (active?.number ?? 0) + 1,
            body: body, createdMicroseconds: log.atMicroseconds, createdBy: log.actor, description: description)
        prepare(compiled, version)
        _ = try add(version, log.store)
    }

    private func active(_ log: AuditLog) throws -> TemplateVersion? {
        try log.store.template(project: log.projectID, namespace: TemplateNamespace.client.rawValue, number: nil)
    }

    private func add(_ version: TemplateVersion, _ store: any MetadataWriter) throws -> TemplateVersion {
        try store.insert(version)
        try store.append(
            AuditEntry(
                projectID: version.projectID, actor: version.createdBy,
                action: version.kind == .rollback ? "config.rollback" : "config.update",
                subject: "namespaces/\(version.namespace)/versions/\(version.number)", detail: version.description,
                atMicroseconds: version.createdMicroseconds))
        try prune(version, store)
        return version
    }

    /// Removes versions that are too old or too many. The active version stays.
    private func prune(_ newest: TemplateVersion, _ store: any MetadataWriter) throws {
        try store.deleteTemplates(
            project: newest.projectID, namespace: newest.namespace, keeping: TemplateLimits.versions,
            createdBefore: newest.createdMicroseconds - Int64(TemplateLimits.versionDays) * 86_400_000_000)
    }

    /// Reads the active template only if it decides which values may stay.
    ///
    /// - Parameter conditions: those that were compiled before, by their text; nil for those of the active template.
    private func check(
        _ template: RemoteConfigTemplate, _ namespace: TemplateNamespace, _ call: some DatabaseCall<AdminCall>,
        known conditions: [String: Condition]? = nil
    ) throws -> [String: Condition] {
        let project = call.project.id
        let checked = try Self.mappingTemplateError { () throws(TemplateError) in
            try TemplateValidator.examine(template, namespace: namespace, known: conditions ?? known(in: project))
        }
        guard !checked.outdated.isEmpty else { return checked.conditions }
        let active = try call.read {
            try $0.template(project: project, namespace: namespace.rawValue, number: nil)
        }
        let stored = try active.map { try $0.template() }
        try Self.mappingTemplateError { () throws(TemplateError) in
            try checked.refuseChanges(of: template, since: stored)
        }
        return checked.conditions
    }

    static func mappingTemplateError<Found>(_ check: () throws(TemplateError) -> Found) throws(APIError)
        -> Found
    {
        do throws(TemplateError) {
            return try check()
        } catch {
            throw .invalid(
                error.path, error.message, message: error.description, condition: error.condition,
                column: error.syntaxError?.column, cause: error)
        }
    }

    /// - Throws: 400 with the text that the SDKs know.
    static func number(_ text: String, _ name: String) throws(APIError) -> Int64 {
        guard let number = Int64(text), number > 0 else {
            throw .invalid(
                name, "This must be a version's number.",
                message: "Invalid value at '\(name)' (TYPE_INT64), \"\(text)\"")
        }
        return number
    }

    private static func mismatch(_ message: String) -> APIError {
        APIError(.failedPrecondition, "[VERSION_MISMATCH]: \(message)", httpStatus: 412)
    }
}
