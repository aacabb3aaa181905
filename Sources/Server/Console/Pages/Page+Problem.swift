import HearthWire

extension Page {
    /// A page that only says why something was not done.
    ///
    /// - Parameters:
    ///   - isUnchanged: whether the page says that nothing was changed.
    ///   - typed: what was sent; no page is kept to which the back button could return with it.
    static func problem(_ failure: APIFailure, isUnchanged: Bool = true, typed: SentForm? = nil) -> Page {
        Page(title(failure.status), .home, status: failure.status) {
            div(.class("problem"), Attribute("role", "alert")) {
                p { failure.message }
                if !failure.violations.isEmpty {
                    ul {
                        failure.violations.map { item in
                            li {
                                code { item.field }; ": \(item.description)"
                            }
                        }
                    }
                }
            }
            p {
                (isUnchanged ? "Nothing was changed. " : "")
                    + "Use your browser's back button to return to the page before."
            }
            typed?.list
        }
    }

    static func title(_ status: Int) -> String {
        switch status {
        case 403: "Not allowed"
        case 404: "Not found"
        case 429: "Too much at once"
        case 503: "Not available now"
        default: "Not done"
        }
    }
}
