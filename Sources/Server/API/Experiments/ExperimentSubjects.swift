import HearthCatalog
import HearthConfiguration
import HearthExperiments
import HearthStorage
import HearthWire

/// What an experiment varies, as it is in the project.
enum ExperimentSubjects {
    /// - Throws: `failedPrecondition` where devices could not be given what the experiment promises them.
    static func check(_ experiment: Experiment, _ store: any MetadataReader) throws {
        for variant in experiment.variants {
            for (name, number) in variant.models.sorted(by: { $0.key < $1.key }) {
                guard let model = try store.model(displayName: name, project: experiment.projectID) else {
                    throw failed("There is no model '\(name)', which the variant '\(variant.name)' names.")
                }
                guard let known = try store.known(number, of: model) else {
                    throw failed("The model '\(name)' has no version \(number), which '\(variant.name)' names.")
                }
                switch known.validation.verdict {
                case .ok, .unsupported: break
                case .pending: throw failed("Version \(number) of '\(name)' is still being checked; try again.")
                case .malformed(let message):
                    throw failed("Version \(number) of '\(name)' is malformed and cannot be given out: \(message)")
                }
                let isServed = try store.releases(model: model.id).contains { $0.endedMicroseconds == nil }
                guard isServed else {
                    throw failed("The model '\(name)' is not published; publish what everybody else gets first.")
                }
            }
        }
    }

    /// - Throws: what the template would be refused for if the variants' values were its own.
    static func checkParameters(_ experiment: Experiment, _ store: any MetadataReader) throws {
        let template = try template(experiment, store)
        for variant in experiment.variants where !variant.parameters.isEmpty {
            var tried = template
            for (key, value) in variant.parameters {
                tried.set(.text(value), forKey: key)
            }
            do throws(TemplateError) {
                try TemplateForm.check(tried, namespace: .client)
            } catch {
                throw CatalogError(.invalidArgument, "The values of '\(variant.name)' cannot be: \(error)")
            }
        }
    }

    private static func template(_ experiment: Experiment, _ store: any MetadataReader) throws -> ConfigTemplate {
        try store.template(
            project: experiment.projectID, namespace: TemplateNamespace.client.rawValue, number: nil
        ).map(TemplatePresentation.body) ?? ConfigTemplate()
    }

    /// What is probably a slip.
    static func warnings(_ experiment: Experiment, _ store: any MetadataReader) throws -> [String] {
        guard !experiment.parameterKeys.isEmpty else { return [] }
        let template = try template(experiment, store)
        return experiment.parameterKeys.filter { template.parameter(forKey: $0) == nil }.sorted().map {
            "The template has no parameter '\($0)': devices outside the experiment use their own default."
        }
    }

    private static func failed(_ message: String) -> CatalogError { CatalogError(.failedPrecondition, message) }
}
