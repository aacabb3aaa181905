import HearthCalls
import HearthHTTP
import HearthWire

/// Asks what one installation gets, and shows the answer or what is wrong with the question.
struct DeviceFinder {
    private static let facts = ["os", "app-version", "language", "country", "tag"]
    /// The names in the query.
    static let fields = ["installation"] + facts

    private let request: PageRequest
    private let model: PageModel
    private let explanation: ReleaseBodies.Explanation?
    /// Why there is no answer.
    let problem: APIFailure?

    init(_ request: PageRequest, _ model: PageModel) {
        self.request = request
        self.model = model
        switch Self.explanation(request, model) {
        case nil: (explanation, problem) = (nil, nil)
        case .success(let found)?: (explanation, problem) = (found, nil)
        case .failure(let failure)?: (explanation, problem) = (nil, failure)
        }
    }

    /// Nil if the reader asks for no installation.
    private static func explanation(
        _ request: PageRequest, _ model: PageModel
    ) -> Result<ReleaseBodies.Explanation, APIFailure>? {
        let fields = request.fields
        guard request.head.method == .get, let installation = fields.text("installation") else { return nil }
        return request.api.result(
            ReleaseCalls.explain, model.id,
            query: [
                ("installation", installation), ("os", fields.text("os")), ("appVersion", fields.text("app-version")),
                ("language", fields.text("language")), ("country", fields.text("country")), ("tag", fields.text("tag")),
            ])
    }

    var markup: Markup {
        section(.id("one")) {
            h2 { "One installation" }
            p { "What does this device get, and why? The answer comes from the code that answers devices." }
            form
            if let problem { ProblemBox(problem, takesFocus: false).markup }
            if let explanation { answer(explanation) }
        }
    }

    @MarkupBuilder
    private func answer(_ explanation: ReleaseBodies.Explanation) -> Markup {
        let asked = request.fields["installation"]
        // The API takes a name in logs too, which is the one that it shows.
        if !explanation.isRegistered, asked != explanation.installation, let refusal = InstallationID.refusal(of: asked)
        {
            div(.class("problem"), Attribute("role", "alert")) {
                p { refusal }
                p { "The app prints its id. Above, you also find installations that asked for the model lately." }
            }
        } else {
            ExplanationView(explanation, model).markup
        }
    }

    private var form: Markup {
        .element(
            "form", [.action(model.link("devices").with(fragment: "one"))],
            .joined {
                Field.text(
                    "installation", "Id of the installation", value: value("installation"),
                    hint: "The app prints it; it has 22 characters. Or a name from the list above.", .required)
                details(Attribute("open", if: Self.facts.contains { !value($0).isEmpty })) {
                    summary { "With other facts than those of its last call" }
                    Field.text("os", "Operating system", value: value("os"))
                    Field.text("app-version", "App version", value: value("app-version"))
                    Field.text("language", "Language", value: value("language"))
                    Field.text("country", "Country", value: value("country"))
                    Field.text("tag", "Tag", value: value("tag"))
                }
                button { "Explain" }
            })
    }

    /// Not of a form that was sent: the fields of pins have other names, but the query is the reader's own.
    private func value(_ field: String) -> String { request.head.method == .get ? request.fields[field] : "" }
}
