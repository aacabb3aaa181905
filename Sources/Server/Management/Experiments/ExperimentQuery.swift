import HearthCatalog
import HearthExperiments
import HearthHTTP
import HearthRouting
import HearthStorage

/// Which experiments a caller wants: those that vary a model, those that set a parameter, those in a state.
struct ExperimentQuery: Sendable {
    private let model: String?
    private let parameter: String?
    private let state: Experiment.State?

    /// - Throws: 400 for a state that no experiment has.
    init(_ query: QueryItems) throws(APIError) {
        func text(_ name: String) -> String? { query.first(name).flatMap { $0.isEmpty ? nil : $0 } }
        model = text("model")
        parameter = text("parameter")
        state = try text("state").map { text throws(APIError) in
            guard let state = Experiment.State(rawValue: text) else {
                let form = "This must be draft, running, stopped or rolledOut."
                throw .invalid("state", form, message: "state: \(form)")
            }
            return state
        }
    }

    /// The display name of the model in the query, which may name it by its id; nil if the query names none.
    func modelName(project: String, _ store: any MetadataReader) throws -> String? {
        guard let model else { return nil }
        if let id = Names.modelID(model), let found = try store.model(id: id, project: project) {
            return found.displayName
        }
        return model
    }

    /// - Parameter model: the answer of `modelName`.
    func matches(_ experiment: Experiment, model: String?) -> Bool {
        if let state, experiment.state != state { return false }
        if let model, !experiment.variants.contains(where: { $0.models[model] != nil }) { return false }
        if let parameter, !experiment.parameterKeys.contains(parameter) { return false }
        return true
    }
}
