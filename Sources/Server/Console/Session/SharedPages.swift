import HearthCatalog
import HearthHTTP
import HearthIdentity
import HearthRouting
import HearthWire

/// Shows the one page of a shared link, without a menu and without anything to change.
struct SharedPages {
    private let console: PageServer

    init(_ console: PageServer) { self.console = console }

    func show(_ head: RequestHead) -> Response {
        do {
            let access = console.environment.server.access
            guard let link = try access.sharedLink(head.query.first("link") ?? "") else {
                try access.countWrongLink(head)
                return .text(
                    "This link is not valid, or has ended. Ask the person who sent it for a new one.\n", status: 404)
            }
            let caller = CheckedCaller.sharedLink(link)
            head.notes.actor = "link:\(link.id)"
            var viewer = Viewer(
                actor: "link:\(link.id)", name: "link \(link.id)", role: .viewer, projectID: link.projectID,
                isOperator: false, session: nil,
                formToken: "")
            viewer.linkEnd = Timestamp(microseconds: link.endsMicroseconds).rfc3339(fractionDigits: 0)
            let request = PageRequest(
                head: head, path: RouteParameters(["project": link.projectID]), site: console.site, viewer: viewer,
                api: APIClient(server: console.server, head: head, caller: caller, project: link.projectID),
                fields: FormFields(),
                base: "", drafts: console.drafts)
            return console.render(try page(link.page, request), request)
        } catch let failure as APIFailure {
            return .text(failure.message + "\n", status: failure.status)
        } catch let refusal as ConsoleAccess.Refusal {
            var response = Response.text(refusal.message + "\n", status: refusal.status)
            response.headers["Retry-After"] = refusal.retryAfterSeconds.map(String.init)
            return response
        } catch {
            return console.failure(head, error)
        }
    }

    private func page(_ page: SharedPage, _ request: PageRequest) throws -> Page {
        switch page {
        case .release(let model, let number):
            var request = request
            request.path = RouteParameters(["project": request.project, "model": "\(model)"])
            return try ReleasePages.show(request, PageModel(request), number: "\(number)")
        case .experiment(let name):
            return try ExperimentPages.show(request, name: name)
        }
    }
}
