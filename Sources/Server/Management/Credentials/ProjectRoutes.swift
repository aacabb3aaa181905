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

    init(_ context: RouteContext) { self.context = context }

    var routes: [CallRoute] {
        [
            context.on(ProjectCalls.list) { try list($0) },
            context.onPrepared(ProjectCalls.create, isSecret: true) { try create($0) },
            context.on(ProjectCalls.get) { try get($0) },
            context.on(ProjectCalls.delete) { try delete($0) },
        ]
    }

    private func list(_ call: ServerReadCall) throws -> ProjectBodies.List {
        let projects = try context.serving.forAdmins().projects.values.map(\.project)
            .filter { call.principal.isMember(of: $0.id) }.sorted { $0.id < $1.id }
        return ProjectBodies.List(projects: projects.isEmpty ? nil : projects.map { Self.resource($0) })
    }

    private func get(_ call: ReadCall) throws -> ProjectBodies.Resource {
        let count = try call.read { try $0.installationCount(project: call.project.id) }
        var resource = Self.resource(call.project, installations: String(count))
        resource.hearthUrl = context.services.publicURL
        return resource
    }

    /// Making a key takes a fraction of a second, in which nobody who wants to write waits.
    private func create(
        _ call: ServerPrepareCall<ProjectBodies.CreateRequest>
    ) throws -> PendingAnswer<ProjectBodies.CreateResponse> {
        let id = try call.body("a new project").projectId
        try checkIsFree(id, try call.read { try $0.project(id: id) })
        let start = try NewProject(projectID: id, isOperator: false, nowMicroseconds: context.nowMicroseconds)
        return call.afterWrite { call in
            try call.change(inProject: id) { store, log in
                try checkIsFree(id, try store.project(id: id))
                try store.insert(start.project)
                try store.insert(start.account)
                try store.insert(start.accountKey)
                try store.insert(start.apiKeyRecord)
                try log.add("project.create", "projects/\(id)")
            }
            return ProjectBodies.CreateResponse(
                project: Self.resource(start.project),
                serviceAccountKey: ServiceAccountKey(
                    start.newAccountKey, projectID: id,
                    hearthURL: PublicAddress.adminBase(call.head, context.services)),
                apiKey: KeyBodies.APIKey(start.apiKeyRecord, key: start.apiKey))
        }
    }

    /// Deletes only a project without models, so that no single call removes all that devices use.
    private func delete(_ call: ServerChangeCall<NoBody>) throws -> ProjectBodies.Resource {
        let name = call.path["project"]
        let id = try context.serving.forAdmins().project(named: name)?.project.id ?? name
        let now = context.nowMicroseconds
        return try call.change(inProject: id) { store, log in
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
            return Self.resource(project)
        }
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
