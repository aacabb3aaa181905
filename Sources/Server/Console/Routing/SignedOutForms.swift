import HearthCatalog
import HearthHTTP

/// Forms whose session has ended while somebody filled them in. What was typed comes back, and is sent again only by the
/// person: the form is shown once more in the new session, where the person looks at it first.
extension PageServer {
    /// A form from someone who is not signed in.
    ///
    /// - Parameter wasSignedIn: whether they were before. Anybody else can send as much as for a sign-in.
    func signedOutPlan(_ route: ConsoleRoute, _ head: RequestHead, wasSignedIn: Bool) -> RequestPlan {
        let limit = wasSignedIn ? Self.formBytes : Self.signInBytes
        if let length = head.contentLength, length > limit { return .answer(signedOut(route, head, FormFields())) }
        return formPlan(head, key: Self.queue("signed-out", of: head), limitBytes: limit) {
            self.signedOut(route, head, $0)
        }
    }

    /// Says that the session has ended, with what was typed.
    func signedOut(_ route: ConsoleRoute, _ head: RequestHead, _ fields: FormFields) -> Response {
        let sent = SentForm(fields, of: route)
        let back = SignInPages.back(to: head, site) ?? ""
        return withoutMenu("Your session has ended", status: 401) {
            p(.class("problem"), Attribute("role", "alert")) {
                fields.isEmpty
                    ? "Nothing was changed. Sign in again, then repeat what you did."
                    : "Nothing was changed. What you sent is still here, on this page only."
            }
            if fields.isEmpty {
                p { a(site.link("sign-in"), .class("button primary")) { "Sign in" } }
            } else {
                ol {
                    li {
                        a(
                            site.link("sign-in"), Attribute("target", "_blank"), Attribute("rel", "noopener")
                        ) { "Sign in in another tab" }
                        ", or run "
                        code { "hearth console" }
                        "."
                    }
                    li {
                        "Come back here and show the form again. It is filled in, and nothing is done before you send it."
                    }
                }
                Markup.element(
                    "form", [Attribute("method", "post"), .action(site.link(back: back))],
                    .joined {
                        sent.hidden
                        button(.class("primary")) { "Show the form again" }
                    })
                sent.list
            }
        }
    }

    /// A form of an earlier session, or of a page that was open while somebody else signed in: the form again in this session.
    func formOfAnotherSession(_ route: ConsoleRoute, _ request: PageRequest) -> Response {
        let problem = APIFailure(
            status: 403,
            message: "This form belongs to another session. Nothing was changed. Look at it, and send it again.")
        // Whoever may not send the form gets its page without it.
        let refusal = request.refusal(for: route.role) ?? (request.may(.publisher) ? nil : problem)
        if let refusal { return render(Page.problem(refusal, typed: SentForm(request.fields, of: route)), request) }
        if route.show != nil { return refused(route, request, problem) }
        let back = SignInPages.back(to: request.head, site) ?? ""
        let sent = SentForm(request.fields, of: route)
        let page = Page("Send the form again?", .home, status: 403) {
            p(.class("problem"), Attribute("role", "alert")) { problem.message }
            p {
                "The form goes to "; code { "/\(back)" }; "."
            }
            form(request, site.link(back: back)) {
                sent.hidden
                if request.fields.raw(SingleUseForms.field) != nil { SingleUseForms.markup }
                button(.class("primary")) { "Send the form" }
            }
            sent.list
        }
        return render(page, request)
    }
}
