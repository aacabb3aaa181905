import HearthHTTP
import HearthRemoteConfigTemplates
import HearthWire

/// The whole template as JSON: to edit, and as a file.
enum JSONPage {
    /// A longer text is not in the page until the person asks for it.
    private static let longText = 200_000

    static func show(_ scope: ConfigScope) throws -> Page {
        let state = try scope.state()
        let sent = scope.sent?.raw("template")
        var template = state.shown
        template.version = nil
        let text = sent ?? text(template)
        return scope.page(
            "Template as JSON", tab: .json, above: scope.top,
            commands: [
                "hearth remoteconfig get --output template.json\(scope.option)",
                "hearth remoteconfig put template.json --validate-only\(scope.option)",
                "hearth remoteconfig put template.json --if-version \(state.activeVersion)\(scope.option)",
            ], draft: .shown
        ) {
            p(.class("actions")) {
                a(scope.link("template.json"), .class("button")) {
                    state.activeVersion == 0 ? "Download an empty template" : "Download version \(state.activeVersion)"
                }
                if state.draft != nil {
                    a(scope.link("changes", "template.json"), .class("button")) { "Download the draft" }
                }
            }
            if text.utf8.count > longText, sent == nil, scope.request.fields.raw("whole") == nil {
                p {
                    "The template has \(ConfigValueView.size(text)), which is a lot for a field of a page. Download it, change the "
                    "file, and put it with the command below. Or "
                    a(scope.link("json").with([("whole", "yes")])) { "open it here anyway" }
                    "."
                }
            } else if scope.mayEdit {
                editor(scope, state, text)
            } else {
                pre(.class("text")) { text }
            }
        }
    }

    private static func editor(_ scope: ConfigScope, _ state: TemplateState, _ text: String) -> Markup {
        form(scope.request, scope.link("json")) {
            scope.baseField(state)
            input(.type("hidden"), .name("draft"), .value(state.draft?.digest ?? ""))
            if let mark = ConditionMark(scope.request.problem), let expression = expression(text, mark.condition) {
                mark.markup(in: expression, id: "template-error")
            }
            if scope.request.problem != nil, let fault = JSONFault(in: text.utf8) { faulty(text, fault) }
            div(.class("field")) {
                label(for: "template") { "Template" }
                textarea(
                    .id("template"), .name("template"), Attribute("rows", "28"), Attribute("spellcheck", "false"),
                    .required,
                    Attribute("aria-invalid", scope.request.problem.map { _ in "true" }),
                    Attribute("aria-describedby", scope.request.problem.map { _ in "template-refusal" }),
                    text: text)
                if let problem = scope.request.problem {
                    small(.id("template-refusal")) {
                        problem.violations.first.map { "\($0.field): \($0.description)" } ?? problem.message
                    }
                }
            }
            p(.class("actions")) {
                button(.class("primary")) { "Preview the changes" }
                a(scope.link()) { "Back to the parameters" }
            }
            p(.class("faint")) { "Nothing is published yet: first you see what changes." }
        }
    }

    /// The line that is not JSON, because a text field has no line numbers.
    private static func faulty(_ text: String, _ fault: JSONFault) -> Markup {
        let lines = text.utf8.split(
            separator: UInt8(ascii: "\n"), maxSplits: fault.line, omittingEmptySubsequences: false)
        let line = fault.line <= lines.count ? String(decoding: lines[fault.line - 1], as: UTF8.self) : ""
        let first = max(0, fault.column - 41)
        return div(.class("field")) {
            p { "Line \(fault.line), from column \(first + 1):" }
            pre(.class("text"), .id("json-fault")) {
                String(line.filter { !$0.isNewline }.dropFirst(first).prefix(120))
            }
        }
    }

    private static func expression(_ text: String, _ name: String?) -> String? {
        let template = try? WireJSON.decode(RemoteConfigTemplate.self, from: text.utf8)
        return template?.conditions?.first { $0.name == name }?.expression
    }

    static func submit(_ scope: ConfigScope) throws -> ConsoleRoute.Answer {
        let state = try scope.edited()
        guard scope.request.fields["draft"] == state.draft?.digest ?? "" else {
            throw APIFailure(
                status: 409,
                message:
                    "Your draft was changed in another tab since you opened this page. To replace it by the text below, send it again."
            )
        }
        // The API sees the text itself, so it finds unknown keys and keys that stand twice.
        let template = try scope.check(Array((scope.request.fields.raw("template") ?? "").utf8))
        let hasDraft = try scope.keep(
            checked: template, base: state.draft?.base ?? state.active, etag: state.draft?.etag ?? state.etag)
        return scope.afterEdit(hasDraft, scope.link("json"))
    }

    // MARK: Files

    /// The active version, or the one in the path.
    static func download(_ scope: ConfigScope) throws -> ConsoleRoute.Answer {
        let version = scope.request.path["version"]
        let template = try scope.template(version: version.isEmpty ? nil : version).template
        return .response(file(template, named: "template-\(template.versionNumber).json"))
    }

    static func downloadDraft(_ scope: ConfigScope) throws -> ConsoleRoute.Answer {
        guard let draft = try scope.state().draft else {
            throw APIFailure(status: 404, message: "You have no draft.")
        }
        return .response(file(draft.template, named: "template-draft.json"))
    }

    private static func file(_ template: RemoteConfigTemplate, named name: String) -> Response {
        var response = Response.json(Array((text(template) + "\n").utf8))
        response.headers["Content-Disposition"] = "attachment; filename=\"\(name)\""
        response.headers["Cache-Control"] = "no-store"
        return response
    }

    /// For reading and editing. A form would lose control characters, so each is written as an escape.
    private static func text(_ template: RemoteConfigTemplate) -> String {
        let bytes = (try? WireJSON.encodePretty(template)) ?? []
        return String(decoding: bytes, as: UTF8.self).replacing("\u{7F}", with: "\\u007f")
    }
}
