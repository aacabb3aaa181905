import HearthCalls
import HearthCatalog
import HearthHTTP
import HearthIdentity
import HearthRouting
import HearthWire
import HearthWork

/// Turns requests into pages. A page's work runs on threads of its own, because it calls the API and waits for the
/// answers. They give way to devices when the processors are busy.
final class PageServer: Sendable {
    /// The most bytes of a form.
    static let formBytes = 4 << 20
    /// The most bytes of the forms that sign in and out, which anybody can send.
    static let signInBytes = 16 << 10
    /// The most fields of a form: a parameter has two for each of up to 500 conditions.
    private static let formFields = 2000
    /// How many pages are made at the same time, and how many of one session may wait.
    private static let places = 4
    private static let waitingPerSession = 24

    let environment: Console.Environment
    let site: Site
    let server: InProcessClient
    let drafts: TemplateDrafts
    let foreignPageLog = ForeignPageLog()
    let knownSessions = KnownSessions()
    private let singleUseForms: SingleUseForms
    private let work = FairScheduler(
        places: places, scheduler: ThreadScheduler(label: "app.hearth.console", yieldsToOthers: true))

    init(_ environment: Console.Environment, _ site: Site) {
        self.environment = environment
        self.site = site
        drafts = TemplateDrafts(shared: environment.server.values)
        singleUseForms = SingleUseForms(shared: environment.server.values)
        server = InProcessClient(environment.server.calls, errors: environment.server.errors)
    }

    /// Where the browser reaches the server.
    func origin(_ head: RequestHead) -> WebOrigin {
        // `base` always has a scheme and a host.
        WebOrigin(environment.server.address(head)) ?? WebOrigin("http://127.0.0.1")!
    }

    func isFromOwnPage(_ head: RequestHead) -> Bool {
        WebOrigin.isOwn(
            head, publicAddress: environment.publicURL.flatMap(WebOrigin.init), isSecure: origin(head).isSecure)
    }

    func pagePlan(_ route: ConsoleRoute, _ head: RequestHead, _ path: RouteParameters) -> RequestPlan {
        let path = path.mapped(URLText.withoutDotGuard)
        guard let secret = SessionCookie.secret(in: head, origin(head)) else {
            return head.method == .get ? .answer(signIn(head)) : signedOutPlan(route, head, wasSignedIn: false)
        }
        guard route.method == .post else {
            return deferred(head, key: knownSessions.queue(of: secret, head)) {
                let items = head.query.filter { route.reading?.contains($0.name) ?? true }
                let fields = FormFields(items.map { ($0.name, $0.value) })
                return self.answer(route, head, path, secret, fields)
            }
        }
        // Before the body arrives, so that nobody who never had a session makes the server keep large ones.
        do {
            guard try session(secret, isOnHTTPThread: true) != nil else {
                let hadSession = try environment.server.access.hadSession(secret)
                return signedOutPlan(route, head, wasSignedIn: hadSession)
            }
        } catch {
            return .answer(failure(head, error))
        }
        let key = knownSessions.queue(of: secret, head)
        return formPlan(head, key: key, limitBytes: Self.formBytes) { self.answer(route, head, path, secret, $0) }
    }

    /// The session with that secret, as `ConsoleAccess` finds it. From then on its pages have a queue of their own.
    func session(_ secret: String, isOnHTTPThread: Bool = false) throws -> ConsoleSession? {
        let session = try environment.server.access.session(secret, isOnHTTPThread: isOnHTTPThread)
        knownSessions.note(secret, isSession: session != nil)
        return session
    }

    /// The queue of what anybody may ask for: nobody makes people of other networks wait.
    static func queue(_ name: StaticString, of head: RequestHead) -> String {
        "\(name) \(ClientNetwork.name(of: head.remoteAddress))"
    }

    /// A form: from a page of ours, of limited size, with readable fields.
    func formPlan(
        _ head: RequestHead, key: String, limitBytes: Int, _ answer: @escaping @Sendable (FormFields) -> Response
    ) -> RequestPlan {
        guard isFromOwnPage(head) else { return .answer(foreignPage(head)) }
        return .buffered(limitBytes: limitBytes) { _, bytes in
            guard let fields = URLText.decodeForm(bytes), fields.count <= Self.formFields else {
                return .respond(Self.refusal(.unreadable))
            }
            return self.outcome(head, key: key) { answer(FormFields(fields)) }
        }
    }

    func deferred(
        _ head: RequestHead, key: String, _ answer: @escaping @Sendable () -> Response
    ) -> RequestPlan {
        .buffered(limitBytes: 0) { _, _ in self.outcome(head, key: key, answer) }
    }

    private func outcome(
        _ head: RequestHead, key: String, _ answer: @escaping @Sendable () -> Response
    ) -> Outcome {
        .deferred { reply in
            let isTaken = self.work.run(for: key, most: Self.waitingPerSession) { reply.resolve(with: answer()) }
            if !isTaken { reply.resolve(with: Self.refusal(.busy)) }
        }
    }

    /// The answer to someone who shows a session's secret.
    private func answer(
        _ route: ConsoleRoute, _ head: RequestHead, _ path: RouteParameters, _ secret: String, _ fields: FormFields
    ) -> Response {
        do {
            guard let request = try request(head, path, secret, fields) else {
                return head.method == .get ? signIn(head) : signedOut(route, head, fields)
            }
            if route.method == .post {
                guard FormToken.isValid(fields[FormToken.field], secret: secret) else {
                    return formOfAnotherSession(route, request)
                }
                if let id = fields.text(SingleUseForms.field) { return try answerOnce(id, route, request) }
            }
            return answer(route, request)
        } catch {
            return failure(head, error)
        }
    }

    /// The answer to a form that can be sent once.
    private func answerOnce(_ id: String, _ route: ConsoleRoute, _ request: PageRequest) throws -> Response {
        let session = request.viewer.session?.id ?? ""
        guard try singleUseForms.take(id, session: session) else {
            return render(
                Page.problem(.init(status: 409, message: Refusal.sentForm.text), isUnchanged: false), request)
        }
        let response = answer(route, request)
        if response.status >= 400 { try singleUseForms.giveBack(id, session: session) }
        return response
    }

    private func answer(_ route: ConsoleRoute, _ request: PageRequest) -> Response {
        // A form that is sent is refused by the API, which also writes that to the audit log.
        if route.method == .get, let refusal = request.refusal(for: route.role) {
            return render(Page.problem(refusal), request)
        }
        do {
            return response(try route.answer(request), request)
        } catch let problem as APIFailure where problem.status == 401 {
            return request.head.method == .get ? signIn(request.head) : signedOut(route, request.head, request.fields)
        } catch let problem as APIFailure {
            return refused(route, request, problem)
        } catch {
            return failure(request.head, error)
        }
    }

    /// The form again, with the reason; or a page with the reason and with what was typed.
    func refused(_ route: ConsoleRoute, _ request: PageRequest, _ problem: APIFailure) -> Response {
        var request = request
        if let show = route.show {
            request.problem = problem
            if var page = try? show(request) {
                page.status = problem.status
                var response = render(page, request)
                response.headers["Retry-After"] = problem.retryAfter
                return response
            }
            request.problem = nil
        }
        let typed = request.head.method == .post ? SentForm(request.fields, of: route) : nil
        var response = render(Page.problem(problem, typed: typed), request)
        response.headers["Retry-After"] = problem.retryAfter
        return response
    }

    private func response(_ answer: ConsoleRoute.Answer, _ request: PageRequest) -> Response {
        switch answer {
        case .page(let page): seen(page, request)
        case .redirect(let link): Self.redirect(link)
        case .response(let response): response
        }
    }

    /// Nil if the session has ended.
    func request(
        _ head: RequestHead, _ path: RouteParameters, _ secret: String, _ fields: FormFields
    ) throws -> PageRequest? {
        guard let session = try session(secret) else { return nil }
        let api = APIClient(
            server: server, head: head, caller: .signedIn(session.credential), project: path["project"])
        let caller: ConsoleBodies.Caller
        do {
            caller = try api.call(SessionCalls.caller)
        } catch let failure as APIFailure where failure.status == 401 {
            knownSessions.note(secret, isSession: false)
            return nil
        }
        head.notes.actor = caller.actor
        let viewer = Viewer(
            actor: caller.actor, name: caller.name ?? caller.actor, role: Role(rawValue: caller.role) ?? .viewer,
            projectID: caller.projectId,
            isOperator: caller.operator ?? false, session: session, formToken: FormToken.text(secret))
        var request = PageRequest(
            head: head, path: path, site: site, viewer: viewer, api: api, fields: fields,
            base: environment.server.address(head), drafts: drafts)
        if request.project.isEmpty { request.menuProject = menuProject(head, viewer, api) }
        return request
    }

    /// The viewer's only project, or the one that the browser saw last, or the first one.
    private func menuProject(_ head: RequestHead, _ viewer: Viewer, _ api: APIClient) -> String {
        if let project = viewer.projectID ?? LastProject.id(in: head, origin(head)) { return project }
        let projects = try? api.call(ProjectCalls.list).projects
        return projects?.first?.projectId ?? ""
    }

    /// A page that was found is one of a project that the viewer may see.
    private func seen(_ page: Page, _ request: PageRequest) -> Response {
        var response = render(page, request)
        let origin = origin(request.head)
        if page.status == 200, !request.project.isEmpty, request.viewer.projectID == nil,
            LastProject.id(in: request.head, origin) != request.project,
            let field = LastProject.field(request.project, origin)
        {
            response.headers.add("Set-Cookie", field)
        }
        return response
    }

    /// The database is away, so nobody knows whose session this is; or it must not be changed.
    ///
    /// - Parameter readOnly: why it must not be changed; nil if it is away.
    private func unavailable(retryAfterSeconds seconds: Int, readOnly: String?) -> Response {
        let title = readOnly == nil ? "Not available now" : "Read-only now"
        var response = withoutMenu(title, status: 503) {
            p(.class("problem"), Attribute("role", "alert")) {
                readOnly
                    ?? "The server cannot reach its database. Nothing was changed. Devices continue to get models and values."
            }
            p {
                readOnly == nil
                    ? "Reload this page in a moment."
                    : "Nothing was changed. You can look at everything meanwhile if you are signed in."
            }
        }
        response.headers["Retry-After"] = String(seconds)
        return response
    }

    /// A page for someone whose session is not known, or does not matter.
    func withoutMenu(_ title: String, status: Int, @MarkupBuilder _ content: () -> Markup) -> Response {
        let content = content()
        let body = Markup.element(
            "main", [.class("sign-in"), .id("main")],
            section {
                h1 { title }
                content
            })
        return Self.html(
            Frame.document(title: title, site: site, scripts: [], formToken: nil, body: body), status: status)
    }

    func render(_ page: Page, _ request: PageRequest) -> Response {
        Self.html(Frame(page, request).document, status: page.status)
    }

    static func html(_ document: Markup, status: Int = 200) -> Response {
        Response(
            status: status,
            headers: ["Content-Type": "text/html; charset=utf-8", "Cache-Control": "no-store"],
            body: .bytes(Array(document.html.utf8)))
    }

    static func redirect(_ link: Link) -> Response {
        Response(status: 303, headers: ["Location": link.text, "Cache-Control": "no-store"])
    }

    /// To the page where people sign in, and from there to the page that was asked for.
    private func signIn(_ head: RequestHead) -> Response {
        let back = SignInPages.back(to: head, site)
        return Self.redirect(site.link("sign-in").with(back.map { [("to", $0)] } ?? []))
    }

    func failure(_ head: RequestHead, _ error: any Error) -> Response {
        if let seconds = ServiceOutage.retryAfterSeconds(of: error) {
            return unavailable(
                retryAfterSeconds: seconds, readOnly: ServiceOutage.readOnlyText(of: error)?.printable)
        }
        // The API has logged what it must.
        if let refusal = error as? APIFailure {
            var response = withoutMenu(Page.title(refusal.status), status: refusal.status) {
                p(.class("problem"), Attribute("role", "alert")) { refusal.message }
                p {
                    a(site.link("sign-in")) { "Sign in in another way" }
                }
            }
            response.headers["Retry-After"] = refusal.retryAfter
            return response
        }
        environment.log("\(head.id) \(head.method) \(head.path): \(error)")
        return Self.refusal(.internalError)
    }
}
