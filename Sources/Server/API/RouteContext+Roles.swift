import HearthCatalog
import HearthHTTP

extension RouteContext {
    func admin(_ head: RequestHead, project id: String, atLeast role: Role) throws -> AdminCall {
        try admin(head, project: id)
    }
}
