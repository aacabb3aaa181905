import HearthHTTP

/// The page for an address that no page has, or that does not take the request's method.
extension PageServer {
    /// - Parameter refusal: what the router answers, with status 404 or 405.
    func unknownPlan(_ head: RequestHead, _ refusal: Response) -> RequestPlan {
        let isReading = head.method == .get || head.method == .head
        guard isReading, let secret = SessionCookie.secret(in: head, origin(head)) else {
            return .answer(withoutMenu(refusal))
        }
        return deferred(head, key: knownSessions.queue(of: secret, head)) {
            do {
                guard let request = try self.request(head, self.projectPath(head), secret, FormFields()) else {
                    return self.withoutMenu(refusal)
                }
                return Self.answer(refusal, self.render(Page.unknown(refusal.status, request.site), request))
            } catch {
                return self.failure(head, error)
            }
        }
    }

    /// The project that the address names, so that its menu stays.
    private func projectPath(_ head: RequestHead) -> RouteParameters {
        let rest = Array(site.segmentsBelow(head.segments) ?? [])
        return rest.count > 1 && rest[0] == "projects" ? RouteParameters(["project": rest[1]]) : RouteParameters()
    }

    private func withoutMenu(_ refusal: Response) -> Response {
        let page = Page.unknown(refusal.status, site)
        return Self.answer(refusal, withoutMenu(page.title, status: refusal.status) { page.content })
    }

    private static func answer(_ refusal: Response, _ page: Response) -> Response {
        var page = page
        page.headers["Allow"] = refusal.headers["Allow"]
        return page
    }
}

extension Page {
    static func unknown(_ status: Int, _ site: Site) -> Page {
        Page(status == 405 ? "Not possible here" : "Not found", .home, status: status) {
            p {
                status == 405
                    ? "This address only takes a form of another page. Nothing was changed."
                    : "The console has no page at this address. It may be mistyped, or come from another version of Hearth."
            }
            p { a(site.link("")) { "To the start page" } }
        }
    }
}
