import Dispatch
import HearthCalls
import HearthCatalog
import HearthHTTP
import HearthIdentity
import HearthRouting
import HearthServing
import HearthStorage
import HearthWire

/// `/hearth/v1/projects`: operators create projects and see all of them; other callers see their own.
struct ProjectRoutes {
    private let context: RouteContext
    /// Making a key takes a fraction of a second, so it never runs on the HTTP server's threads.
    private let work = DispatchQueue(label: "app.hearth.projects")

    init(_ context: RouteContext) { self.context = context }

    var routes: [CallRoute] {
        [
            CallRoute(ProjectCalls.list) { head, _ in
                context.lookUp(head) { try list(context.authenticated(head)) }
            },
            CallRoute(ProjectCalls.create) { head, _ in
                context.deferred(head, on: work, check: { try context.operatorCall(head) }) {
                    try create($0, $1, RequestJSON.decode(ProjectBodies.CreateRequest.self, $2, what: "a new project"))
                }
            },
            CallRoute(ProjectCalls.get) { head, path in
                context.deferred(
                    head, on: work, check: { try context.adminCall(head, project: path["project"], atLeast: .viewer) }
                ) { call, _, _ in try get(call.project) }
            },
            CallRoute(ProjectCalls.delete) { head, path in
                context.queuedWrite(head, check: { try context.operatorCall(head) }) { caller, _, _ in
                    try delete(caller, path["project"])
                }
            },
        ]
    }

    private func list(_ principal: Principal) throws -> Response {
        let projects = try context.serving.forAdmins().projects.values.map(\.project)
            .filter { principal.isMember(of: $0.id) }.sorted { $0.id < $1.id }
        return try context.json(
            ProjectBodies.List(projects: projects.isEmpty ? nil : projects.map { Self.resource($0) }))
    }

    private func get(_ project: Project) throws -> Response {
        let count = try context.services.metadata.read { try $0.installationCount(project: project.id) }
        var resource = Self.resource(project, installations: String(count))
        resource.hearthUrl = context.services.publicURL
        return try context.json(resource)
    }

    private func create(
        _ principal: Principal, _ head: RequestHead, _ body: ProjectBodies.CreateRequest
    ) throws -> Response {
        let id = body.projectId
        try checkIsFree(id, try context.services.metadata.read { try $0.project(id: id) })
        let start = try NewProject(projectID: id, isOperator: false, nowMicroseconds: context.nowMicroseconds)
        try context.change(by: principal, in: id) { store, log in
            try checkIsFree(id, try store.project(id: id))
            try store.insert(start.project)
            try store.insert(start.account)
            try store.insert(start.accountKey)
            try store.insert(start.apiKeyRecord)
            try log.add("project.create", "projects/\(id)")
        }
        return try context.confidential(
            ProjectBodies.CreateResponse(
                project: Self.resource(start.project),
                serviceAccountKey: ServiceAccountKey(
                    start.newAccountKey, projectID: id, hearthURL: PublicAddress.adminBase(head, context.services)),
                apiKey: KeyBodies.APIKey(start.apiKeyRecord, key: start.apiKey)))
    }

    /// Deletes only a project without models, so that no single call removes all that devices use.
    private func delete(_ principal: Principal, _ name: String) throws -> Response {
        let id = try context.serving.forAdmins().project(named: name)?.project.id ?? name
        let now = context.nowMicroseconds
        let removed = try context.change(by: principal, in: id) { store, log in
            guard let project = try store.project(id: id) else {
                throw APIError(.notFound, "There is no project '\(id)'.")
            }
            guard try store.models(project: id, after: 0, limit: 1).isEmpty else {
                throw APIError(.failedPrecondition, "The project '\(id)' has models; delete them first.")
            }
            try AccountRules.checkRemoval(
                ofProject: id, accounts: try store.serviceAccounts(), keys: try store.accountKeys(),
                nowMicroseconds: now)
            try store.delete(project)
            try log.add("project.delete", "projects/\(id)")
            return project
        }
        return try context.json(Self.resource(removed))
    }

    private func checkIsFree(_ id: String, _ known: Project?) throws(CatalogError) {
        guard known == nil else { throw CatalogError(.alreadyExists, "There is a project '\(id)' already.") }
    }

    private static func resource(_ project: Project, installations: String? = nil) -> ProjectBodies.Resource {
        ProjectBodies.Resource(
            projectId: project.id, projectNumber: String(project.number),
            createTime: WireTime.text(project.createdMicroseconds), installations: installations)
    }
}
