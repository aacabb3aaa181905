import Foundation
import HearthCalls
import HearthCatalog
import HearthExperiments
import HearthHTTP
import HearthRemoteConfigTemplates
import HearthRouting
import HearthServing
import HearthStorage

/// Finds things of a project by a part of their names (`/hearth/v1/projects/{project}/search`), and lists the names of all
/// models (`…/modelNames`).
struct SearchRoutes {
    private let context: RouteContext

    init(_ context: RouteContext) { self.context = context }

    var routes: [CallRoute] {
        [
            context.on(ProjectCalls.search) { try search($0) },
            context.on(ModelCalls.names) { call in
                let models = try call.read { try $0.modelNames(project: call.project.id) }
                return SearchBodies.ModelNames(
                    models: models.map { .init(model: String($0.id), displayName: $0.displayName) })
            },
        ]
    }

    private func search(_ call: ReadCall) throws -> SearchBodies.Results {
        let (project, query) = (call.project.id, try SearchQuery(call.query.first("q")))
        // Devices need the compiled template too, so it is compiled already, except after a start.
        let template = try context.serving.current().projects[project]?.template
            .map { try context.serving.content(of: $0) }?.compiled
        return try call.read { store in
            let aliases = Dictionary(grouping: try store.aliases(project: project), by: \.modelID)
            return SearchBodies.Results(
                query: query.text,
                models: query.best(of: try store.modelNames(project: project)) { model in
                    query.texts(of: model, in: project, aliases: aliases[model.id] ?? [])
                }.map { model in
                    let named = (aliases[model.id] ?? []).filter { query.finds($0.name) }
                    return SearchBodies.Model(
                        model: String(model.id), displayName: model.displayName, tags: model.tags,
                        aliases: named.isEmpty
                            ? nil : named.map { SearchBodies.Alias(alias: $0.name, version: $0.version) })
                },
                parameters: query.best(of: template?.parameterKeys ?? []) { [$0] },
                conditions: query.best(of: template?.conditionNames ?? []) { [$0] },
                experiments: try query.best(of: store.experimentNames(project: project)) { [$0] }
                    .compactMap { name in
                        let record = try store.experiment(name, project: project)
                        let found = record.flatMap { try? ExperimentCoding.experiment($0) }
                        return found.map { SearchBodies.Experiment(name: name, state: $0.state.rawValue) }
                    },
                installation: try store.installation(fid: query.text, project: project)?.fid)
        }
    }
}

/// A text to look for, as it is: no character has a special meaning. Pure.
struct SearchQuery {
    /// Without spaces around it.
    let text: String
    private let small: String
    private let bytes: [UInt8]

    /// - Throws: 400 without a text, and for one that is too long.
    init(_ text: String?) throws(APIError) {
        let trimmed = (text ?? "").trimmingCharacters(in: .whitespacesAndNewlines)
        guard (1...SearchBodies.queryLimit).contains(trimmed.count) else {
            let text = "The text to look for must have 1 to \(SearchBodies.queryLimit) characters."
            throw .invalid("q", text, message: "q: \(text)")
        }
        self.text = trimmed
        small = trimmed.lowercased()
        bytes = Array(small.utf8)
    }

    /// The best matches, at most `SearchBodies.resultLimit`.
    ///
    /// - Parameter texts: what an item is found by; the first one is its name.
    func best<Item>(of items: [Item], by texts: (Item) -> [String]) -> [Item] {
        let found = items.compactMap { item -> (rank: Int, name: String, item: Item)? in
            let texts = texts(item).map { $0.lowercased() }
            return texts.compactMap(rank).min().map { ($0, texts[0], item) }
        }
        return found.sorted { ($0.rank, $0.name) < ($1.rank, $1.name) }.prefix(SearchBodies.resultLimit).map(\.item)
    }

    /// What a model is found by. Its names in the audit log and in calls count only if the text is one of them: all models
    /// have their beginning.
    func texts(of model: SearchableModel, in project: String, aliases: [VersionAlias]) -> [String] {
        var texts = [model.displayName, String(model.id)]
        texts += model.tags
        texts += aliases.map(\.name)
        let path = "models/\(model.id)"
        texts += [path, "projects/\(project)/\(path)"].filter { $0.lowercased() == small }
        return texts
    }

    /// Whether an item with this text is found.
    func finds(_ text: String) -> Bool { rank(text.lowercased()) != nil }

    /// 0 for the text itself, 1 for one that begins with it, 2 for one that contains it; nil for all others.
    private func rank(_ text: String) -> Int? {
        if text == small { return 0 }
        if text.hasPrefix(small) { return 1 }
        return contains(text) ? 2 : nil
    }

    /// Compares bytes, which is many times faster than comparing characters.
    private func contains(_ text: String) -> Bool {
        var text = text
        return text.withUTF8 { text in
            guard text.count >= bytes.count else { return false }
            return (0...text.count - bytes.count).contains { start in
                text[start] == bytes[0] && text[start...].starts(with: bytes)
            }
        }
    }
}
