import HearthCatalog
import HearthConfiguration
import HearthHTTP
import HearthStorage
import HearthWire

/// Changes of templates, one transaction each. A version is never changed: what is put makes the next one.
struct TemplateEditing: Sendable {
    let context: RouteContext

    /// `PUT …/remoteConfig`.
    func put(_ call: AdminCall, _ target: TemplatePath, _ head: RequestHead, _ bytes: [UInt8]) throws -> Response {
        var template = try RequestJSON.decodeLenient(ConfigTemplate.self, bytes, what: "a Remote Config template")
        let description = template.version?.description ?? ""
        try Self.check(template, bytes, target.namespace)
        template.version = nil
        let body = String(decoding: try WireJSON.encode(template), as: UTF8.self)
        guard let shown = head.headers["If-Match"] else {
            throw Self.mismatch("Give If-Match with the ETag of the template that you looked at, or * for any.")
        }
        let isQuestion = ["validateOnly", "validate_only"].contains { head.query.first($0) == "true" }
        let made = try context.services.metadata.write { store -> TemplateVersion? in
            let active = try store.template(
                project: call.project.id, namespace: target.namespace.rawValue, number: nil)
            let present = TemplateETag.tag(projectNumber: call.project.number, version: active?.number ?? 0)
            guard TemplateETag.allows(shown, present: present) else {
                throw Self.mismatch("The template was changed meanwhile; it is \(present) now. Fetch it and try again.")
            }
            guard !isQuestion else { return nil }
            return try add(
                TemplateVersion(
                    projectID: call.project.id, namespace: target.namespace.rawValue, number: (active?.number ?? 0) + 1,
                    body: body, createdMicroseconds: context.nowMicroseconds, createdBy: call.actor,
                    description: description, kind: TemplateETag.isForced(shown) ? .forced : .incremental), store)
        }
        guard let made else {
            return try TemplatePresentation.response(
                template, TemplateETag.validation(projectNumber: call.project.number))
        }
        tell(made)
        return try TemplatePresentation.response(made, call.project)
    }

    /// `POST …/remoteConfig:rollback`: a new version with the content of an old one.
    func rollBack(_ call: AdminCall, _ target: TemplatePath, _ head: RequestHead, _ bytes: [UInt8]) throws -> Response {
        struct Body: Decodable {
            var versionNumber: String?
        }
        let text =
            try head.query.first("versionNumber") ?? head.query.first("version_number")
            ?? (bytes.isEmpty
                ? nil : RequestJSON.decodeLenient(Body.self, bytes, what: "a version to go back to").versionNumber)
        let number = try Self.number(text ?? "", "version_number")
        let made = try context.services.metadata.write { store in
            guard
                let old = try store.template(
                    project: call.project.id, namespace: target.namespace.rawValue, number: number),
                let active = try store.template(
                    project: call.project.id, namespace: target.namespace.rawValue, number: nil)
            else { throw APIError(.notFound, "There is no version \(number) of the template.") }
            return try add(
                TemplateVersion(
                    projectID: call.project.id, namespace: target.namespace.rawValue, number: active.number + 1,
                    body: old.body, createdMicroseconds: context.nowMicroseconds, createdBy: call.actor,
                    description: "Rollback to version \(number)", kind: .rollback, rollbackSource: number), store)
        }
        tell(made)
        return try TemplatePresentation.response(made, call.project)
    }

    /// A new version of the devices' template: the active one with that change. For what else changes what devices get.
    func append(_ description: String, _ log: AuditLog, _ change: (inout ConfigTemplate) -> Void) throws {
        let namespace = TemplateNamespace.client
        let active = try log.store.template(project: log.projectID, namespace: namespace.rawValue, number: nil)
        var template = try active.map(TemplatePresentation.body) ?? ConfigTemplate()
        let before = template
        change(&template)
        // What is there was checked; a change of what it must be is no reason to refuse the end of an experiment.
        if template != before {
            try Self.found { () throws(TemplateError) in try TemplateForm.check(template, namespace: namespace) }
        }
        _ = try add(
            TemplateVersion(
                projectID: log.projectID, namespace: namespace.rawValue, number: (active?.number ?? 0) + 1,
                body: String(decoding: try WireJSON.encode(template), as: UTF8.self),
                createdMicroseconds: log.atMicroseconds, createdBy: log.actor, description: description), log.store)
    }

    /// The devices that it is for.
    private func tell(_ made: TemplateVersion) {
        guard made.namespace == TemplateNamespace.client.rawValue else { return }
        context.templateChanged(project: made.projectID, number: made.number)
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

    /// Removes what is too old or too many; the active version stays.
    private func prune(_ newest: TemplateVersion, _ store: any MetadataWriter) throws {
        try store.deleteTemplates(
            project: newest.projectID, namespace: newest.namespace, keeping: TemplateLimits.versions,
            createdBefore: newest.createdMicroseconds - Int64(TemplateLimits.versionDays) * 86_400_000_000)
    }

    /// - Parameter bytes: what it was read from.
    private static func check(
        _ template: ConfigTemplate, _ bytes: [UInt8], _ namespace: TemplateNamespace
    ) throws(APIError) {
        try found { () throws(TemplateError) in
            try TemplateKeys.check(bytes)
            try TemplateForm.check(template, namespace: namespace)
        }
    }

    private static func found(_ check: () throws(TemplateError) -> Void) throws(APIError) {
        do throws(TemplateError) {
            try check()
        } catch {
            throw .invalid(error.path, error.message, message: error.description)
        }
    }

    /// - Throws: 400 in the words that the SDKs know.
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
