import HearthCatalog
import HearthHTTP
import HearthStorage
import HearthWire

/// One page of a project's models, oldest first.
struct ModelListing {
    private let page: PageRequest
    private let filter: ListFilter?
    private let services: Services

    private static let batchSize = 200

    init(_ query: QueryItems, _ services: Services) throws {
        page = try PageRequest(query, limit: services.limits.pageSize)
        filter = try Self.filter(query.first("filter") ?? "")
        self.services = services
    }

    private static func filter(_ text: String) throws(APIError) -> ListFilter? {
        guard !text.isEmpty else { return nil }
        do throws(CatalogError) {
            return try ListFilter(text)
        } catch {
            // The message is what existing tools compare; which terms there are stands in the details.
            throw .invalid(
                "filter",
                "A filter has terms such as displayName = x, displayName : x*, tags : t, state.published = true, joined by "
                    + "AND, OR, NOT and parentheses.", message: error.message)
        }
    }

    func list(_ project: String) throws -> ModelList {
        // One more than the page has tells whether there is a next one.
        var found: [Model] = []
        let now = services.now().microseconds
        let resources = try services.metadata.read { store in
            var after = page.after
            while found.count <= page.size {
                let batch = try store.models(project: project, after: after, limit: Self.batchSize)
                guard let last = batch.last else { break }
                after = last.id
                found += batch.filter { filter?.matches($0) ?? true }
            }
            return try found.prefix(page.size).map { model in
                try ModelPresentation.resource(model, store, nowMicroseconds: now)
            }
        }
        let next = found.count > page.size ? String(found[page.size - 1].id) : nil
        return ModelList(models: resources.isEmpty ? nil : resources, nextPageToken: next)
    }
}
