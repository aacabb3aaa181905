import Foundation
package import HearthHTTP
package import HearthRouting

/// The web console: pages for people, made on the server, below `/console/`.
///
/// A page's work runs on the console's own threads, because it calls the API and waits for the answers.
package struct Console: RequestHandler {
    /// How the console reaches the rest of the server.
    package struct Environment: Sendable {
        package var server: ConsoleServices
        /// `public-url`; nil if it is not set.
        package var publicURL: String?
        /// How long a session lasts at most. A browser keeps its cookie for a day longer.
        package var sessionSeconds: Int64
        /// Gets one line for each failure whose reason the person does not get.
        package var log: @Sendable (String) -> Void

        package init(
            server: ConsoleServices, publicURL: String?, sessionSeconds: Int64,
            log: @escaping @Sendable (String) -> Void
        ) {
            self.server = server
            self.publicURL = publicURL
            self.sessionSeconds = sessionSeconds
            self.log = log
        }
    }

    let pages: PageServer
    private let router: Router
    /// The path of `public-url`.
    private let own: [String]

    /// The names of the console's routes, for `HearthService.init(otherRoutes:)`.
    package static func routeNames(publicURL: String?) -> [String] {
        table(own: segments(of: publicURL)).map(\.pattern)
    }

    package init(_ environment: Environment, firstRouteNumber: Int) {
        let pages = PageServer(environment, Site(prefix: Self.prefix(of: environment.publicURL)))
        self.pages = pages
        own = Self.segments(of: environment.publicURL)
        let routes = Self.table(own: own).map { entry in
            Route(entry.method, entry.pattern) { head, path in entry.plan(pages, head, path) }
        }
        router = Router(
            routes, errors: { .text($0.message + "\n", status: $0.status) }, firstNumber: firstRouteNumber)
    }

    package func plan(for head: RequestHead) -> RequestPlan {
        // Also for paths and methods that no route has.
        head.notes.answerFields = AnswerFields.all
        let plan = router.plan(for: head)
        guard case .answer(let refusal) = plan, head.notes.routeNumber == 0, isForPeople(head) else { return plan }
        return pages.unknownPlan(head, refusal)
    }

    /// Whether a person sees the answer, and not a script or a style sheet.
    private func isForPeople(_ head: RequestHead) -> Bool {
        let first = pages.site.segmentsBelow(head.segments)?.first
        return first != "api" && first != "assets"
    }

    /// Whether a request is for the console.
    package func handles(_ head: RequestHead) -> Bool {
        let segments = head.segments
        return segments.first == "console" || !own.isEmpty && segments.starts(with: own + ["console"])
    }

    /// Leads people who type the server's address, without a path, to the console; nil for other requests.
    package func start(for head: RequestHead) -> Response? {
        guard head.method == .get || head.method == .head, head.segments.isEmpty || head.segments == own else {
            return nil
        }
        return PageServer.redirect(pages.site.link(""))
    }

    /// The path of a URL, each segment in the one form that links have, without a slash at its end.
    private static func prefix(of url: String?) -> String {
        segments(of: url).map { "/" + URLText.encode($0) }.joined()
    }

    /// Without escapes, as the paths of requests are compared.
    private static func segments(of url: String?) -> [String] {
        guard let path = url.flatMap({ URLComponents(string: $0)?.percentEncodedPath }) else { return [] }
        return path.split(separator: "/").map { $0.removingPercentEncoding ?? String($0) }
    }
}

/// The table of routes.
extension Console {
    private struct Entry {
        let method: HTTPMethod
        let pattern: String
        let plan: @Sendable (PageServer, RequestHead, RouteParameters) -> RequestPlan
    }

    /// A proxy may pass on the path under which it publishes the server, or remove it. So every page is served under both.
    private static func table(own: [String]) -> [Entry] {
        let entries = entries()
        // A segment with a brace or a colon would be read as a part of a pattern; such a path works if the proxy removes it.
        guard !own.isEmpty, !own.joined().contains(where: { "{}:/".contains($0) }) else { return entries }
        let prefix = own.joined(separator: "/")
        return entries + entries.map { Entry(method: $0.method, pattern: prefix + "/" + $0.pattern, plan: $0.plan) }
    }

    private static func entries() -> [Entry] {
        let pages = ConsolePages.routes.map { route in
            Entry(method: route.method, pattern: "console/" + route.pattern) { $0.pagePlan(route, $1, $2) }
        }
        let calls = [HTTPMethod.get, .post, .put, .patch, .delete].map { method in
            Entry(method: method, pattern: "console/api/{path...}") { pages, head, _ in pages.callPlan(head) }
        }
        return pages + calls + [
            Entry(method: .get, pattern: "console/assets/{file}") { _, head, path in
                guard let file = Assets.shared.answer(head, path["file"]) else {
                    return .answer(.text("There is no such file.\n", status: 404))
                }
                // The fields are part of the file's answer, which is encoded in advance.
                head.notes.answerFields = [:]
                return .answer(file)
            },
            Entry(method: .get, pattern: "console/sign-in") { pages, head, _ in
                .answer(SignInPages(pages).show(head))
            },
            Entry(method: .post, pattern: "console/sign-in") { pages, head, _ in
                pages.formPlan(head, key: PageServer.queue("sign-in", of: head), limitBytes: PageServer.signInBytes) {
                    SignInPages(pages).submit(head, $0)
                }
            },
            Entry(method: .post, pattern: "console/sign-out") { pages, head, _ in
                pages.formPlan(head, key: PageServer.queue("sign-in", of: head), limitBytes: PageServer.signInBytes) {
                    SignInPages(pages).signOut(head, $0)
                }
            },
            Entry(method: .get, pattern: "console/shared") { pages, head, _ in
                pages.deferred(head, key: PageServer.queue("shared", of: head)) { SharedPages(pages).show(head) }
            },
        ]
    }
}
