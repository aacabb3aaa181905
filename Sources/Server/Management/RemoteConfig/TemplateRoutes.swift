import HearthCalls
import HearthCatalog
import HearthHTTP
import HearthRemoteConfigTemplates
import HearthRouting
import HearthStorage
import HearthTargeting
import HearthWire

/// Remote Config's management (`firebaseremoteconfig` v1): templates, their versions, rollback, defaults.
struct TemplateRoutes {
    private let context: RouteContext
    private let editing: TemplateEditing
    private let imports: TemplateImport
    /// The last templates that were read, which never change, as answers. One may have a megabyte.
    private let recent = RecentValues<TemplateKey, Response>(limit: 8)

    init(_ context: RouteContext) {
        self.context = context
        editing = TemplateEditing(context: context)
        imports = TemplateImport(context: context)
    }

    var routes: [CallRoute] {
        [GoogleTemplateCalls.ofProject, .ofNamespace].flatMap { calls in
            [
                context.onResponse(calls.get, checkPath: TemplatePath.check) { try get($0) },
                context.onResponse(calls.listVersions, checkPath: TemplatePath.check) { try listVersions($0) },
                context.onResponse(calls.downloadDefaults, checkPath: TemplatePath.check) { try defaults($0) },
                context.onPreparedResponse(calls.put, limitBytes: Self.bodyLimit, checkPath: TemplatePath.check) {
                    try editing.put($0)
                },
                context.onPreparedResponse(calls.rollBack, limitBytes: Self.bodyLimit, checkPath: TemplatePath.check) {
                    try editing.rollback($0)
                },
                context.onPrepared(calls.importVersion, limitBytes: Self.bodyLimit, checkPath: TemplatePath.check) {
                    try imports.add($0)
                },
            ]
        } + [context.onResponse(GoogleTemplateCalls.getForServers) { try serverTemplate($0) }]
    }

    /// All values, which JSON may escape, and as much again for names, conditions and descriptions.
    static let bodyLimit = 8 * TemplateLimits.valueLength

    private func active(_ call: ReadCall, number: Int64? = nil) throws -> TemplateVersion? {
        let namespace = try TemplatePath(call.path).namespace
        return try call.read {
            try $0.template(project: call.project.id, namespace: namespace.rawValue, number: number)
        }
    }

    private func get(_ call: ReadCall) throws -> Response {
        guard let text = call.query.first("versionNumber") ?? call.query.first("version_number") else {
            return try response(active(call), call)
        }
        let number = try TemplateEditing.number(text, "version_number")
        guard let version = try active(call, number: number) else {
            throw APIError(.notFound, "There is no version \(number) of the template.")
        }
        return try response(version, call)
    }

    private func response(_ version: TemplateVersion?, _ call: ReadCall) throws -> Response {
        guard let version else { return try TemplatePresentation.response(nil, call.project) }
        let (key, now) = (TemplateKey(version), context.nowMicroseconds)
        if let known = recent.last(of: key, maxAgeSeconds: MaxAge.longest, nowMicroseconds: now) {
            return known.value
        }
        let response = try TemplatePresentation.response(version, call.project)
        recent.set(response, of: key, atMicroseconds: now)
        return response
    }

    private func listVersions(_ call: ReadCall) throws -> Response {
        struct Body: Encodable {
            var versions: [RemoteConfigVersion]?
            var nextPageToken: String?
        }
        let namespace = try TemplatePath(call.path).namespace
        let page = try PageQuery(call.query, limit: TemplateLimits.versions)
        var before: Int64? = page.after == 0 ? nil : page.after
        if let text = call.query.first("endVersionNumber") ?? call.query.first("end_version_number") {
            let end = try TemplateEditing.number(text, "end_version_number")
            before = min(before ?? .max, end == .max ? end : end + 1)
        }
        let (from, until) = (try time(call.query, "startTime") ?? .min, try time(call.query, "endTime") ?? .max)
        let wanted =
            from >= until
            ? []
            : try call.read {
                try $0.templateHistory(
                    project: call.project.id, namespace: namespace.rawValue, before: before,
                    madeIn: from..<until, limit: page.size + 1)
            }
        let shown = wanted.prefix(page.size)
        return try context.json(
            Body(
                versions: shown.isEmpty ? nil : shown.map(TemplatePresentation.version),
                nextPageToken: wanted.count > shown.count ? shown.last.map { String($0.number) } : nil))
    }

    private func time(_ query: QueryItems, _ name: String) throws -> Int64? {
        guard let text = query.first(name) else { return nil }
        guard let time = Timestamp(rfc3339: text) else {
            throw APIError.invalid(name, "This must be a time such as 2026-11-21T13:00:00Z.")
        }
        return time.microseconds
    }

    private func defaults(_ call: ReadCall) throws -> Response {
        guard let format = DefaultsDocument(rawValue: call.query.first("format")?.uppercased() ?? "") else {
            throw APIError.invalid("format", "This must be XML, PLIST or JSON.")
        }
        let version = try active(call)
        let text = format.text(try TemplatePresentation.template(version))
        return Response(
            status: 200,
            headers: [
                "Content-Type": format.contentType,
                "ETag": TemplateETag.tag(projectNumber: call.project.number, version: version?.number ?? 0),
            ], body: .bytes(Array(text.utf8)))
    }

    private func serverTemplate(_ call: ReadCall) throws -> Response {
        guard try TemplatePath(call.path).namespace == .server else {
            throw APIError(
                .notFound, "The templates for servers are in the namespace '\(TemplateNamespace.server.rawValue)'.")
        }
        let version = try active(call)
        let template = try TemplatePresentation.template(version)
        let groups = (template.parameterGroups ?? [:]).values.compactMap(\.parameters)
        let parameters = ([template.parameters ?? [:]] + groups).reduce(into: [:]) { all, some in
            all.merge(some) { first, _ in first }
        }
        var reader = ConditionReader()
        var conditions: [ServerTemplateBody.NamedCondition] = []
        for condition in template.conditions ?? [] {
            let tree = try Self.tree(condition, &reader)
            conditions.append(ServerTemplateBody.NamedCondition(name: condition.name, condition: tree))
        }
        var response = Response.json(
            try WireJSON.encode(
                ServerTemplateBody(parameters: parameters, conditions: conditions, version: template.version)))
        response.headers["ETag"] = TemplateETag.tag(projectNumber: call.project.number, version: version?.number ?? 0)
        return response
    }

    /// A condition above today's limits, in a template from an older server, is false for all servers that read it.
    private static func tree(
        _ condition: RemoteConfigCondition, _ reader: inout ConditionReader
    ) throws -> ServerCondition {
        do throws(ConditionSyntaxError) {
            if let tree = ServerCondition(try reader.read(condition.expression)) { return tree }
        } catch {
            if error.isTooLarge { return .constant(false) }
            throw APIError(.internal, "A condition of the template cannot be read.", cause: error)
        }
        throw APIError(.internal, "A condition of the template uses a term that templates for servers do not have.")
    }
}

/// The template that a call's path names.
struct TemplatePath: Sendable {
    let namespace: TemplateNamespace

    /// For the routes: refuses an unknown namespace.
    @Sendable static func check(_ path: RouteParameters) throws { _ = try TemplatePath(path) }

    /// - Throws: 404 for an unknown namespace.
    init(_ path: RouteParameters) throws(APIError) {
        let name = path["namespace"]
        guard let namespace = name.isEmpty ? .client : TemplateNamespace(rawValue: name) else {
            let known = TemplateNamespace.allCases.map(\.rawValue).joined(separator: " and ")
            throw APIError(.notFound, "There is no namespace '\(name)'; there are \(known).")
        }
        self.namespace = namespace
    }
}
