import HearthHTTP

/// Answers without the frame of a page, for requests that belong to no session or come from no page of ours.
enum Refusal {
    case signedOut
    case foreignPage
    case unreadable
    case oldForm
    case sentForm
    case busy
    case internalError

    var status: Int {
        switch self {
        case .signedOut: 401
        case .foreignPage, .oldForm: 403
        case .unreadable: 400
        case .sentForm: 409
        case .busy: 503
        case .internalError: 500
        }
    }

    /// What happened, and what to do.
    var text: String {
        switch self {
        case .signedOut: "Your session has ended. Nothing was changed. Sign in again, then repeat what you did."
        case .foreignPage:
            "This form does not come from a page of this console. Nothing was changed. Open the console and use its own form."
        case .unreadable: "The form cannot be read. Nothing was changed. Reload the page and try again."
        case .oldForm:
            "This form belongs to another session. Nothing was changed. Reload the page that had the form and try again."
        case .sentForm:
            """
            This form was sent before. What it made exists, and the server showed its secret then, once. If you did \
            not keep the secret, revoke it in its list, and make another one with the form.
            """
        case .busy: "Too many of your pages are being made at once. Close some tabs, or try again in a moment."
        case .internalError: "The server failed to make this page; its log says why. Try again later."
        }
    }
}

extension PageServer {
    static func refusal(_ refusal: Refusal) -> Response {
        var response = Response.text(refusal.text + "\n", status: refusal.status)
        response.headers["Cache-Control"] = "no-store"
        if refusal.status == 503 { response.headers["Retry-After"] = "2" }
        return response
    }
}
