import HearthWire

/// Why a form was refused. A page has at most one; the browser puts the focus there, so that nobody has to look for it.
struct ProblemBox {
    private let problem: APIFailure
    private let takesFocus: Bool

    /// - Parameter takesFocus: false where the page's address names its place, so that the browser goes there anyway.
    init(_ problem: APIFailure, takesFocus: Bool = true) {
        self.problem = problem
        self.takesFocus = takesFocus
    }

    var markup: Markup {
        div(
            .class("problem"), .id("problem"), Attribute("role", "alert"), Attribute("tabindex", "-1"),
            Attribute("autofocus", if: takesFocus)
        ) {
            p {
                strong { "Not done. " }; problem.message
            }
            let details = problem.violations.filter { $0.description != problem.message }
            if !details.isEmpty {
                ul {
                    details.map { item in
                        li {
                            code { item.field }; ": \(item.description)"
                        }
                    }
                }
            }
        }
    }
}
