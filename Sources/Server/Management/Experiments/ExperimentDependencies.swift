import HearthCatalog
import HearthExperiments
import HearthRemoteConfigTemplates
import HearthStorage
import HearthTargeting
import HearthWire

/// Checks that the models and parameters which an experiment varies exist in its project and may be used.
enum ExperimentDependencies {
    /// - Parameters:
    ///   - allowContractChange: start although a version's contract differs and its model refuses that.
    ///   - allowCrashing: start although a version crashed the engine in the server's run and no release gave it to all
    ///     devices.
    ///   - allowFailedRehearsal: start although a version's rehearsal is missing or shows less than its model requires,
    ///     its model refuses that, and no release gave it to all devices.
    /// - Returns: differences to the contract that apps were written for and to required rehearsals, and the versions
    ///   that crashed; one line each.
    /// - Throws: `failedPrecondition` if devices could not get what a variant names.
    static func check(
        _ experiment: Experiment, allowContractChange: Bool, allowCrashing: Bool, allowFailedRehearsal: Bool,
        _ store: any MetadataReader, nowMicroseconds: Int64
    ) throws -> (differences: [String], crashed: [String]) {
        var found: (differences: [String], crashed: [String]) = ([], [])
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
                    throw failed("Version \(number) of '\(name)' is malformed, so devices cannot get it: \(message)")
                }
                let releases = try store.releases(model: model.id)
                let wasReleased = EffectiveShare.reachedAll(
                    version: number, by: releases, nowMicroseconds: nowMicroseconds)
                if let refusal = CrashRule.refusal(of: known, isAllowed: allowCrashing || wasReleased) { throw refusal }
                if known.validation.verdict.isCrash { found.crashed.append("version \(number) of '\(name)'") }
                guard releases.contains(where: { $0.endedMicroseconds == nil }) else {
                    throw failed("The model '\(name)' is not published; publish a version for other devices first.")
                }
                let state = try store.state(of: model, nowMicroseconds: nowMicroseconds)
                let (differences, refusal) = ContractComparison.check(known, state, isAllowed: allowContractChange)
                if let refusal { throw refusal }
                var lines = differences
                if !wasReleased {
                    let rehearsed = RehearsalRule.check(known, state, isAllowed: allowFailedRehearsal)
                    if let refusal = rehearsed.refusal {
                        throw failed("The variant '\(variant.name)' cannot get '\(name)'. \(refusal.message)")
                    }
                    lines += rehearsed.warnings
                }
                found.differences += lines.map { "version \(number) of '\(name)': \($0)" }
            }
        }
        return found
    }

    /// May take long, so call it outside of transactions. The template may also change after any check.
    ///
    /// - Parameter known: conditions of the template that were parsed before.
    /// - Returns: probable mistakes, one line each.
    /// - Throws: the error that the template would cause if it had the variants' values.
    static func checkParameters(
        _ experiment: Experiment, known: [String: Condition], _ store: any MetadataReader
    ) throws -> [String] {
        guard !experiment.parameterKeys.isEmpty else { return [] }
        let template = try template(experiment, store)
        var known = known
        for variant in experiment.variants where !variant.parameters.isEmpty {
            var tried = template
            for (key, value) in variant.parameters {
                tried.set(.text(value), forKey: key)
            }
            do throws(TemplateError) {
                let checked = try TemplateValidator.examine(tried, namespace: .client, known: known)
                known = checked.conditions
                // The template's own values are not the experiment's affair.
                let own = checked.outdated.first {
                    variant.parameters[$0.key] != nil && $0.error.path.hasSuffix(".defaultValue")
                }
                if let own { throw own.error }
            } catch {
                throw CatalogError(
                    .invalidArgument, "The values of variant '\(variant.name)' are invalid: \(error)", cause: error)
            }
        }
        return experiment.parameterKeys.filter { template.parameter(forKey: $0) == nil }.sorted().map {
            "The template has no parameter '\($0)': devices outside the experiment use their own default."
        }
    }

    private static func template(_ experiment: Experiment, _ store: any MetadataReader) throws -> RemoteConfigTemplate {
        try store.template(
            project: experiment.projectID, namespace: TemplateNamespace.client.rawValue, number: nil
        ).map { try $0.template() } ?? RemoteConfigTemplate()
    }

    /// Probable mistakes in the models that the experiment varies, one line each.
    ///
    /// - Parameter audience: the experiment's audience, if it can be parsed.
    static func modelWarnings(
        _ experiment: Experiment, audience: Condition?, _ store: any MetadataReader
    ) throws -> [String] {
        let named = Set(experiment.variants.flatMap { $0.models.map { [$0.key, String($0.value)] } })
        guard !named.isEmpty else { return [] }
        var warnings = (audience?.remoteConfigOnlySignals ?? []).map {
            "No device meets the audience: a device that asks for a model does not send \($0)."
        }
        for (name, pairs) in Dictionary(grouping: named, by: { $0[0] }).sorted(by: { $0.key < $1.key }) {
            let model = try store.model(displayName: name, project: experiment.projectID)
            for version in pairs.map({ $0[1] }).sorted()
            where try model.flatMap({ try store.version(Int(version) ?? 0, model: $0.id) }) == nil {
                warnings.append(
                    "Model '\(name)' has no version \(version) yet; the experiment cannot start without it.")
            }
            for release in try model.map({ try store.releases(model: $0.id) }) ?? []
            where release.endedMicroseconds == nil && release.shareMillionths < Release.fullShare {
                guard release.guarding?.guards.isEmpty == false else { continue }
                warnings.append(
                    "Release \(release.number) of model '\(name)' is under way: devices in the experiment leave its guards."
                )
            }
        }
        return warnings
    }

    /// The running experiments that vary the model. A release of the model reaches no device that takes part in one of
    /// them.
    static func experiments(varying model: Model, _ store: any MetadataReader) throws -> [String] {
        try store.runningExperiments().filter { $0.projectID == model.projectID }
            // An experiment that cannot be decoded varies nothing.
            .compactMap { try? ExperimentCoding.experiment($0) }
            .filter { $0.variants.contains { $0.models[model.displayName] != nil } }.map(\.name)
    }

    private static func failed(_ message: String) -> CatalogError { CatalogError(.failedPrecondition, message) }
}
