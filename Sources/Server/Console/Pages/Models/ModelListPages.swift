import HearthCalls
import HearthCatalog
import HearthHTTP
import HearthWire

/// The list of models.
enum ModelListPages {
    static let routes: [ConsoleRoute] = [.page("projects/{project}/models", list)]

    private static let pageSize = 50

    private static func list(_ request: PageRequest) throws -> Page {
        let text = request.fields["q"]
        let found = try request.api.call(
            ModelCalls.list,
            query: [
                ("filter", filter(text, state: request.fields["state"])), ("pageSize", "\(pageSize)"),
                ("pageToken", request.fields.text("page")),
            ])
        let models = found.models ?? []
        return Page("Models", .models, commands: ["hearth models list"]) {
            if request.may(.publisher) {
                div(.class("actions")) {
                    a(request.link("models", "new"), .class("button primary")) { "Upload a model" }
                }
            }
            if models.isEmpty, request.fields.isEmpty { empty(request) } else { filterForm(request) }
            if !models.isEmpty {
                table(models, request)
            } else if !request.fields.isEmpty {
                p(.class("empty")) { "No model matches. A filter compares the beginning of the name, or a whole tag." }
            }
            if let next = found.nextPageToken {
                p {
                    a(
                        request.link("models").with([
                            ("q", text), ("state", request.fields["state"]), ("page", next),
                        ])
                    ) { "More models" }
                }
            }
        }
    }

    private static func empty(_ request: PageRequest) -> Markup {
        div(.class("empty")) {
            p { strong { "There is no model yet." } }
            p {
                "Upload a .tflite file, the folder or the zip that AutoML exported. Devices get it when you publish it."
            }
        }
    }

    private static func filterForm(_ request: PageRequest) -> Markup {
        .element(
            "form",
            [
                .class("actions"), .action(request.link("models")), Attribute("role", "search"),
                .label("Filter the models"),
            ],
            .joined {
                label(for: "q") { "Name or tag" }
                input(.id("q"), .name("q"), .type("search"), .value(request.fields["q"]))
                label(for: "state") { "State" }
                select(.id("state"), .name("state")) {
                    [("", "all"), ("published", "published"), ("unpublished", "not published")].map { value, text in
                        option(value, text, isSelected: request.fields["state"] == value)
                    }
                }
                button { "Filter" }
            })
    }

    /// In the language of the API's filter. Nil for all models.
    private static func filter(_ text: String, state: String) -> String? {
        var terms: [String] = []
        if !text.isEmpty {
            guard WireNames.isDisplayName(text) else { return "displayName = ''" }
            terms.append("(displayName : \(text)* OR tags : \(text))")
        }
        switch state {
        case "published": terms.append("state.published = true")
        case "unpublished": terms.append("state.published = false")
        default: break
        }
        return terms.isEmpty ? nil : terms.joined(separator: " AND ")
    }

    private static func table(_ models: [ModelResource], _ request: PageRequest) -> Markup {
        DataTable("Models", ["Model", "State", "Devices get", "Newest", "Size", "Changed", "Tags"]).rows(models) {
            model in
            let id = model.name?.split(separator: "/").last.map(String.init) ?? ""
            return [
                a(request.link("models", id)) { model.displayName ?? id },
                state(model),
                .text(devicesGet(model)),
                .text(model.hearth?.version.map { "version \($0)" } ?? "–"),
                .text(model.tfliteModel?.sizeBytes.flatMap(Int64.init).map(NumberText.bytes) ?? "–"),
                Times.moment(model.updateTime),
                .text((model.tags ?? []).joined(separator: ", ")),
            ]
        }
    }

    static func state(_ model: ModelResource) -> Markup {
        .joined {
            model.state?.published == true ? Badge.mark("published", .good) : Badge.mark("not published", .neutral)
            if model.state?.validationError != nil { " "; Badge.mark("newest is malformed", .bad) }
            if let rollouts = model.hearth?.rollouts, !rollouts.isEmpty {
                " "
                Badge.mark(rollouts.contains { $0.state == "active" } ? "rolling out" : "rollout paused", .warning)
            }
        }
    }

    private static func devicesGet(_ model: ModelResource) -> String {
        let base = model.hearth?.releasedVersion.map { "version \($0)" }
        let rollouts = (model.hearth?.rollouts ?? []).map { "version \($0.version) on \(SharePercent.text($0.share))" }
        return (rollouts + [base].compactMap { $0 }).joined(separator: ", ").nonEmpty ?? "nothing"
    }
}

extension String {
    /// Nil for an empty text.
    var nonEmpty: String? { isEmpty ? nil : self }
}
