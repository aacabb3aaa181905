import HearthCatalog
import HearthConfiguration
import HearthHTTP
import HearthWire

/// The template that a call's path names.
struct TemplatePath: Sendable {
    let namespace: TemplateNamespace

    /// - Throws: 404 for a namespace that is not there.
    init(_ path: RouteParameters) throws(APIError) {
        let name = path["namespace"]
        guard let namespace = name.isEmpty ? .client : TemplateNamespace(rawValue: name) else {
            let known = TemplateNamespace.allCases.map(\.rawValue).joined(separator: " and ")
            throw APIError(.notFound, "There is no namespace '\(name)'; there are \(known).")
        }
        self.namespace = namespace
    }
}

extension RouteContext {
    /// The id of the project that a path names by its id or by its number; a name that is neither stays as it is.
    func projectID(_ name: String) throws -> String {
        let projects = try serving.current().projects
        guard projects[name] == nil, let number = Int64(name) else { return name }
        return projects.values.first { $0.project.number == number }?.project.id ?? name
    }
}
