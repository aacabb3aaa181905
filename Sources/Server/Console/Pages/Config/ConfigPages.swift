import HearthHTTP
import HearthRemoteConfigTemplates

/// The pages of Remote Config, for the template of devices and for that of servers.
enum ConfigPages {
    static let routes: [ConsoleRoute] = TemplateNamespace.allCases.flatMap { routes($0) }

    private static func routes(_ namespace: TemplateNamespace) -> [ConsoleRoute] {
        let root = "projects/{project}/\(ConfigScope.root(namespace))"
        func page(_ path: String, _ show: @escaping @Sendable (ConfigScope) throws -> Page) -> ConsoleRoute {
            .page(root + path) { try show(ConfigScope($0, namespace)) }
        }
        func file(
            _ path: String, _ answer: @escaping @Sendable (ConfigScope) throws -> ConsoleRoute.Answer
        ) -> ConsoleRoute {
            ConsoleRoute(method: .get, pattern: root + path, show: nil) { try answer(ConfigScope($0, namespace)) }
        }
        func action(
            _ path: String, _ submit: @escaping @Sendable (ConfigScope) throws -> ConsoleRoute.Answer
        ) -> ConsoleRoute {
            .action(root + path) { try submit(ConfigScope($0, namespace)) }
        }
        func form(
            _ path: String, _ show: @escaping @Sendable (ConfigScope) throws -> Page,
            _ submit: @escaping @Sendable (ConfigScope) throws -> ConsoleRoute.Answer
        ) -> [ConsoleRoute] {
            // Which part of a value is edited, and of which condition. The form's own fields come from `ConfigScope.sent`.
            ConsoleRoute.form(
                root + path, reading: ["whole", "name", "condition"], show: { try show(ConfigScope($0, namespace)) },
                submit: { try submit(ConfigScope($0, namespace)) })
        }
        let pages = [
            page("", ParameterListPage.show), page("/conditions", ConditionListPage.show),
            page("/versions", TemplateVersionPages.list), page("/versions/{version}", TemplateVersionPages.show),
            page("/compare", TemplateVersionPages.compare),
            // Facts that are refused show the form again.
            ConsoleRoute(
                method: .get, pattern: root + "/device", show: { try DevicePage.showForm(ConfigScope($0, namespace)) },
                answer: { .page(try DevicePage.show(ConfigScope($0, namespace))) }),
        ]
        let files = [
            file("/template.json", JSONPage.download), file("/versions/{version}/template.json", JSONPage.download),
            file("/changes/template.json", JSONPage.downloadDraft),
            file("/parameters/{parameter}/value", ParameterPage.value),
        ]
        let forms = [
            form("/parameters/{parameter}", ParameterPage.show, ParameterPage.submit),
            form("/new-parameter", ParameterPage.showNew, ParameterPage.submitNew),
            form("/condition", ConditionPage.show, ConditionPage.submit),
            form("/new-condition", ConditionPage.showNew, ConditionPage.submitNew),
            form("/json", JSONPage.show, JSONPage.submit), form("/changes", ChangesPage.show, ChangesPage.publish),
            form("/versions/{version}/rollback", TemplateVersionPages.showRollback, TemplateVersionPages.rollBack),
        ]
        let actions = [
            action("/parameters/{parameter}/delete", ParameterPage.delete),
            action("/condition/delete", ConditionPage.delete), action("/conditions/move", ConditionListPage.move),
            action("/changes/discard", ChangesPage.discard), action("/changes/reapply", ChangesPage.reapply),
        ]
        return pages + files + forms.flatMap { $0 } + actions
    }
}
