import HearthCalls
import HearthCatalog
import HearthExperiments
import HearthHTTP
import HearthRemoteConfigTemplates
import HearthRouting
import HearthServing
import HearthStorage
import HearthTargeting
import HearthWire

/// Changes of experiments, one transaction each. The answer is the experiment after the change.
struct ExperimentEditing: Sendable {
    let context: RouteContext

    /// The most experiments that a project may have, and the most that may run at once. The second limit is Firebase's.
    static let limit = 1000
    static let runningLimit = 24

    /// - Throws: 404 if the project has no experiment of that name.
    static func record(_ name: String, _ call: AdminCall, _ store: any MetadataReader) throws -> ExperimentRecord {
        guard let record = try store.experiment(name, project: call.project.id) else {
            throw APIError(.notFound, "The project '\(call.project.id)' has no experiment '\(name)'.")
        }
        return record
    }

    /// The record of the experiment that the call's path names.
    static func record(of call: some LaneCall<AdminCall>, _ store: any MetadataReader) throws -> ExperimentRecord {
        try record(call.path["experiment"], call.caller, store)
    }

    func create(_ call: PrepareCall<ExperimentBodies.Definition>) throws -> PendingAnswer<ExperimentBodies.Experiment> {
        let (experiment, audience, warnings) = try definition(call)
        return changing(call) { store, log in
            let all = try store.experiments(project: call.project.id)
            guard !all.contains(where: { $0.name == experiment.name }) else {
                throw CatalogError(.alreadyExists, "There is an experiment '\(experiment.name)' already.")
            }
            guard all.count < Self.limit else {
                throw CatalogError(
                    .failedPrecondition, "A project may have at most \(Self.limit) experiments; delete old ones first.")
            }
            let record = try ExperimentCoding.record(
                experiment, createdMicroseconds: log.atMicroseconds, createdBy: call.actor)
            try store.insert(record)
            try log.add("experiment.create", Self.subject(experiment))
            let more = try ExperimentDependencies.modelWarnings(experiment, audience: audience, store)
            return (record, experiment, warnings + more)
        }
    }

    /// Changes a draft only: the rules that assign variants stay fixed while the experiment runs, and so do its results
    /// afterwards.
    func replace(_ call: PrepareCall<ExperimentBodies.Definition>) throws -> PendingAnswer<ExperimentBodies.Experiment>
    {
        let name = call.path["experiment"]
        let (experiment, audience, warnings) = try definition(call)
        guard experiment.name == name else {
            throw CatalogError(.invalidArgument, "An experiment cannot be renamed; create another one.")
        }
        return changing(call) { store, log in
            let old = try Self.record(of: call, store)
            guard try ExperimentCoding.experiment(old).state == .draft else {
                throw CatalogError(
                    .failedPrecondition, "'\(name)' was started; only a draft can be changed. Make another experiment.")
            }
            let record = try ExperimentCoding.record(old, experiment)
            try store.update(record)
            try log.add("experiment.update", Self.subject(experiment))
            let more = try ExperimentDependencies.modelWarnings(experiment, audience: audience, store)
            return (record, experiment, warnings + more)
        }
    }

    func delete(_ call: ChangeCall<NoBody>) throws -> ExperimentBodies.Experiment {
        try change(call) { store, log in
            let record = try Self.record(of: call, store)
            guard !record.isRunning else {
                throw CatalogError(.failedPrecondition, "'\(record.name)' is running; stop it first.")
            }
            let experiment = try ExperimentCoding.experiment(record)
            try store.delete(record)
            try log.add("experiment.delete", Self.subject(experiment))
            return (record, experiment, [])
        }
    }

    func start(_ call: PrepareCall<ExperimentBodies.StartRequest>) throws -> PendingAnswer<ExperimentBodies.Experiment>
    {
        let body = try call.body("a request to start", isOptional: true)
        // Outside of the transaction: meanwhile, only a draft can change, and that change is checked itself.
        let (found, warnings) = try call.read { store in
            let experiment = try ExperimentCoding.experiment(Self.record(of: call, store))
            return (experiment, try checkParameters(experiment, store))
        }
        let audience = found.audience.isEmpty ? nil : try? context.serving.conditions.read(found.audience)
        try context.serving.current().projects[call.project.id]?.check(audience, field: "audience")
        return changing(call) { store, log in
            let old = try Self.record(of: call, store)
            let running = try store.experiments(project: call.project.id).filter(\.isRunning)
                .compactMap { try? ExperimentCoding.experiment($0) }
            guard running.count < Self.runningLimit else {
                throw CatalogError(
                    .failedPrecondition, "At most \(Self.runningLimit) experiments run at once; stop one of them first."
                )
            }
            let draft = try ExperimentCoding.experiment(old)
            let (differences, crashed) = try ExperimentDependencies.check(
                draft, allowContractChange: body.allowContractChange ?? false,
                allowCrashing: body.allowCrashing ?? false,
                allowFailedRehearsal: body.allowFailedRehearsal ?? false, store, nowMicroseconds: log.atMicroseconds)
            let experiment = try ExperimentLifecycle.start(draft, beside: running, nowMicroseconds: log.atMicroseconds)
            let record = try ExperimentCoding.record(old, experiment)
            try store.update(record)
            let detail = crashed.isEmpty ? "" : "although \(crashed.joined(separator: ", ")) crashed the engine here"
            try log.add("experiment.start", Self.subject(experiment), detail)
            try announce(experiment, "Experiment '\(experiment.name)' started", log)
            let more = try ExperimentDependencies.modelWarnings(experiment, audience: audience, store)
            return (record, experiment, differences + warnings + more)
        }
    }

    func stop(_ call: PrepareCall<ExperimentBodies.StopRequest>) throws -> PendingAnswer<ExperimentBodies.Experiment> {
        let body = try call.body("a request to stop", isOptional: true)
        let verdict = try verdict(call)
        return changing(call) { store, log in
            let old = try Self.record(of: call, store)
            let running = try ExperimentCoding.experiment(old)
            let experiment = try ExperimentLifecycle.stop(
                running, winner: body.winner, reason: "stopped by \(call.actor)",
                verdict: ExperimentResults.name(of: verdict), finding: ExperimentResults.finding(verdict, running),
                nowMicroseconds: log.atMicroseconds)
            return (try write(experiment, old, log), experiment, [])
        }
    }

    func rollout(_ call: PrepareCall<ExperimentBodies.RollOutRequest>) throws -> PendingAnswer<
        ExperimentBodies.Experiment
    > {
        let body = try call.body("a request to roll out a variant")
        let verdict = try verdict(call)
        return changing(call) { store, log in
            let old = try Self.record(of: call, store)
            let before = try ExperimentCoding.experiment(old)
            var experiment = try ExperimentLifecycle.rollOut(
                before, variant: body.variant, nowMicroseconds: log.atMicroseconds)
            if before.state == .running {
                experiment.endVerdict = ExperimentResults.name(of: verdict)
                experiment.endFinding = ExperimentResults.finding(verdict, before)
            }
            let out = "'\(body.variant)' rolled out by \(call.actor)"
            experiment.endReason = experiment.endReason.map { "\($0); \(out)" } ?? out
            let record = try ExperimentCoding.record(old, experiment)
            try store.update(record)
            try log.add("experiment.rollOut", Self.subject(experiment), "variant \(body.variant)")
            let warnings = try ExperimentRollout(
                context: context, experiment: experiment, allowContractChange: body.allowContractChange ?? false,
                allowCrashing: body.allowCrashing ?? false,
                allowFailedRehearsal: body.allowFailedRehearsal ?? false, log: log
            ).apply()
            return (record, experiment, warnings)
        }
    }

    /// Stops the experiment because of its verdict.
    ///
    /// - Returns: false if another call changed the experiment first.
    func stop(
        _ found: Experiment, _ verdict: ExperimentVerdict, in metadata: any MetadataStore
    ) throws -> Bool {
        let now = context.nowMicroseconds
        let isStopped = try metadata.write { store in
            guard let old = try store.experiment(found.name, project: found.projectID), old.isRunning,
                try ExperimentCoding.experiment(old) == found
            else { return false }
            let log = AuditLog(store: store, projectID: found.projectID, actor: "server", atMicroseconds: now)
            var winner: String?
            if case .winner(let name) = verdict { winner = name }
            let finding = ExperimentResults.finding(verdict, found)
            let experiment = try ExperimentLifecycle.stop(
                found, winner: winner, reason: finding, verdict: ExperimentResults.name(of: verdict), finding: finding,
                nowMicroseconds: now)
            _ = try write(experiment, old, log)
            return true
        }
        if isStopped { context.serving.settle() }
        return isStopped
    }

    /// What the counts say now, which is what whoever ends the experiment has seen. Read before the change: an analysis adds
    /// up a row per installation, for which no other change should wait.
    private func verdict(_ call: some DatabaseCall<AdminCall>) throws -> ExperimentVerdict {
        try call.read { store in
            let experiment = try ExperimentCoding.experiment(try Self.record(of: call, store))
            return ExperimentAnalysis(experiment).verdict(try ExperimentCounts.data(experiment, store))
        }
    }

    private func write(_ stopped: Experiment, _ old: ExperimentRecord, _ log: AuditLog) throws -> ExperimentRecord {
        let record = try ExperimentCoding.record(old, stopped)
        try log.store.update(record)
        try log.add("experiment.stop", Self.subject(stopped), stopped.endReason ?? "")
        try announce(stopped, "Experiment '\(stopped.name)' stopped", log)
        return record
    }

    /// Appends a template version. By its number, devices notice that a fetch has a new answer.
    private func announce(_ experiment: Experiment, _ description: String, _ log: AuditLog) throws {
        guard !experiment.parameterKeys.isEmpty else { return }
        try TemplateEditing(context: context).appendUnchanged(description, log)
    }

    private func definition(
        _ call: PrepareCall<ExperimentBodies.Definition>
    ) throws -> (experiment: Experiment, audience: Condition?, warnings: [String]) {
        let body = try call.body("an experiment")
        let experiment = try ExperimentPresentation.experiment(body, project: call.project.id)
        let audience = try ExperimentValidator.check(experiment, conditions: context.serving.conditions)
        let warnings = try call.read { try checkParameters(experiment, $0) }
        return (experiment, audience, warnings + Self.warnings(of: audience))
    }

    private static func warnings(of audience: Condition?) -> [String] {
        (audience?.warnings ?? []).map { "In the audience, \($0)." }
    }

    /// What is probably wrong with an experiment that has not ended, one line each.
    func warnings(of experiment: Experiment, _ store: any MetadataReader) throws -> [String] {
        guard [.draft, .running].contains(experiment.state) else { return [] }
        let audience = experiment.audience.isEmpty ? nil : try? context.serving.conditions.read(experiment.audience)
        return Self.warnings(of: audience)
            + (try ExperimentDependencies.modelWarnings(experiment, audience: audience, store))
    }

    private func checkParameters(_ experiment: Experiment, _ store: any MetadataReader) throws -> [String] {
        let template = context.serving.last?.projects[experiment.projectID]?.template?.latest
        return try ExperimentDependencies.checkParameters(
            experiment, known: template?.compiled?.conditionsByText ?? [:], store)
    }

    private func changing(
        _ call: PrepareCall<some Sendable>,
        _ body:
            @escaping @Sendable (any MetadataWriter, AuditLog) throws -> (
                ExperimentRecord, Experiment, warnings: [String]
            )
    ) -> PendingAnswer<ExperimentBodies.Experiment> {
        call.afterWrite { try change($0, body) }
    }

    private func change(
        _ call: ChangeCall<some Sendable>,
        _ body: (any MetadataWriter, AuditLog) throws -> (ExperimentRecord, Experiment, warnings: [String])
    ) throws -> ExperimentBodies.Experiment {
        let (record, experiment, warnings) = try call.change(body)
        var shown = ExperimentPresentation.body(record, experiment)
        shown.warnings = warnings.isEmpty ? nil : warnings
        return shown
    }

    private static func subject(_ experiment: Experiment) -> String { "experiments/\(experiment.name)" }
}
