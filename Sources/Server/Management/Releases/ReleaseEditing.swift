import HearthCalls
import HearthCatalog
import HearthDevicePlane
import HearthHTTP
import HearthRouting
import HearthServing
import HearthStorage
import HearthTargeting
import HearthWire

/// Changes of releases, one transaction each. The answer is the release after the change.
struct ReleaseEditing: Sendable {
    let context: RouteContext
    let verdicts: VerdictWait
    let rollouts: RolloutWatches

    /// Decides how a release changes: by the model's state, the number of the release, and the context.
    typealias Rule = @Sendable (ModelLifecycle.State, Int, ModelLifecycle.Context) throws -> ModelLifecycle.Change

    /// Waits for the verdict if the version is still being validated.
    func create(_ call: PrepareCall<ReleaseBodies.CreateRequest>) throws -> PendingAnswer<ReleaseBodies.Release> {
        let target = try ModelPath(call)
        let body = try call.body("a request for a release", isOptional: true)
        let guarding = try GuardingValues.guarding(body.guarding ?? ReleaseBodies.Guarding())
        let share = try Self.share(body, guarding.plan)
        let stages = try ReleaseValues.stages(body.stages ?? [])
        if body.guarding != nil, share == Release.fullShare {
            let text =
                "A release to all devices has no guards; give it a share below 100 %, or a plan that begins below 100 %."
            throw APIError.invalid("guarding", text, message: text)
        }
        let warnings = try ReleaseCondition.check(body.audience, in: call.project.id, context.serving)
        let wanted = try call.read { store in
            try ModelPath.version(body.version, of: target.model(store), store)
        }
        let answer = { @Sendable (call: ChangeCall<ReleaseBodies.CreateRequest>) throws -> ReleaseBodies.Release in
            try write(call, target) { state, model, store, rules in
                // The version that the call meant, even if a newer one arrived during the wait.
                let known = try ModelPath.version(wanted.version.number, of: model, store)
                return try ReleaseLifecycle.release(
                    state, known, share: share, stages: stages, audience: body.audience ?? Audience(),
                    guarding: guarding,
                    allowContractChange: body.allowContractChange ?? false,
                    allowCrashing: body.allowCrashing ?? false,
                    allowFailedRehearsal: body.allowFailedRehearsal ?? false, context: rules
                ).warning(of: warnings)
            }
        }
        guard wanted.validation.verdict == .pending else { return call.afterWrite(answer) }
        return call.later(verdicts.wait(for: wanted.version.sha256), answer)
    }

    /// A plan begins with its first share.
    private static func share(_ body: ReleaseBodies.CreateRequest, _ plan: [Int]) throws -> Int {
        let share = try body.share.map { try ReleaseValues.share($0, "share") }
        guard let first = plan.first else { return share ?? Release.fullShare }
        guard share == nil || share == first else {
            let text = "A release with a plan begins with the plan's first share; leave out the share."
            throw APIError.invalid("share", text, message: text)
        }
        return first
    }

    func change(_ call: PrepareCall<ReleaseBodies.UpdateRequest>) throws -> PendingAnswer<ReleaseBodies.Release> {
        let body = try call.body("a change of a release")
        let share = try body.share.map { try ReleaseValues.share($0, "share") }
        let stages = try body.stages.map { try ReleaseValues.stages($0) }
        let warnings = try ReleaseCondition.check(body.audience, in: call.project.id, context.serving)
        let number = try ModelPath.number(call.path["release"], "release")
        let target = try ModelPath(call)
        return call.afterWrite { call in
            try write(call, target, showing: number) { state, model, store, rules in
                let present = try store.release(number, model: model.id)
                let known = try present.flatMap { try store.known($0.version, of: model) }
                return try ReleaseLifecycle.change(
                    state, release: number, of: known, share: share, stages: stages, audience: body.audience,
                    guarding: try body.guarding.map {
                        try GuardingValues.guarding($0, changing: present?.guarding ?? ReleaseGuarding())
                    },
                    allowContractChange: body.allowContractChange ?? false,
                    allowCrashing: body.allowCrashing ?? false,
                    allowFailedRehearsal: body.allowFailedRehearsal ?? false, context: rules
                ).warning(of: warnings)
            }
        }
    }

    /// Applies a rule to an existing release.
    func apply(_ call: ChangeCall<NoBody>, _ rule: Rule) throws -> ReleaseBodies.Release {
        let number = try ModelPath.number(call.path["release"], "release")
        return try write(call, ModelPath(call), showing: number) { state, _, _, rules in
            try rule(state, number, rules)
        }
    }

    func rollback(_ call: ChangeCall<ReleaseBodies.RollbackRequest>) throws -> ReleaseBodies.Release {
        let body = try call.body("a request for a rollback", isOptional: true)
        let rule: StoredRule = { state, model, store, rules in
            let known = try body.version.map { try ModelPath.version($0, of: model, store) }
            return try ReleaseLifecycle.rollback(
                state, to: known, allowContractChange: body.allowContractChange ?? false,
                allowCrashing: body.allowCrashing ?? false,
                allowFailedRehearsal: body.allowFailedRehearsal ?? false, context: rules)
        }
        let target = try ModelPath(call)
        return body.validateOnly == true ? try preview(call, target, rule) : try write(call, target, rule)
    }

    /// A rule that also looks at what is stored.
    private typealias StoredRule = (
        ModelLifecycle.State, Model, any MetadataReader, ModelLifecycle.Context
    ) throws -> ModelLifecycle.Change

    /// What the rule would make, without a change.
    private func preview(
        _ call: some DatabaseCall, _ target: ModelPath, _ rule: StoredRule
    ) throws -> ReleaseBodies.Release {
        let rules = ModelLifecycle.Context(actor: call.actor, nowMicroseconds: context.services.now().microseconds)
        let (releases, change) = try call.read { store in
            let model = try target.model(store)
            let state = try store.state(of: model, nowMicroseconds: rules.nowMicroseconds)
            return (try store.releases(model: model.id), try rule(state, model, store, rules))
        }
        guard let release = change.newReleases.first ?? releases.first(where: { $0.number == change.existingRelease })
        else { throw StorageError(.corrupt, "The release that would be made cannot be found") }
        var body = ReleasePresentation.release(
            release, nowMicroseconds: rules.nowMicroseconds, warnings: change.warnings)
        if change.isUnchanged { body.unchanged = true }
        return body
    }

    /// - Parameter number: the number of the release in the answer; nil for the release that the rule created or found.
    private func write(
        _ call: ChangeCall<some Sendable>, _ target: ModelPath, showing number: Int? = nil, _ rule: StoredRule
    ) throws -> ReleaseBodies.Release {
        let rules = ModelLifecycle.Context(actor: call.actor, nowMicroseconds: context.services.now().microseconds)
        let (releases, release, change, experiments) = try call.write { store in
            let model = try target.model(store)
            let change = try rule(
                try store.state(of: model, nowMicroseconds: rules.nowMicroseconds), model, store, rules)
            try store.save(change)
            let releases = try store.releases(model: model.id)
            guard let number = number ?? change.existingRelease ?? change.newReleases.first?.number,
                let release = releases.first(where: { $0.number == number })
            else { throw StorageError(.corrupt, "The release that was just written cannot be found") }
            return (releases, release, change, try ExperimentDependencies.experiments(varying: model, store))
        }
        let notices = experiments.map {
            "devices in the experiment '\($0)' keep their variant's version until it is stopped"
        }
        var body = ReleasePresentation.release(
            release, among: releases, rollouts, nowMicroseconds: rules.nowMicroseconds,
            warnings: change.warnings + notices)
        if change.isUnchanged { body.unchanged = true }
        // Releases that a schedule ended have an earlier end time.
        let ended = change.changedReleases.filter {
            $0.endedMicroseconds == rules.nowMicroseconds && $0.number != release.number
        }
        if !ended.isEmpty {
            body.endedReleases = ended.map {
                ReleasePresentation.release(
                    $0, among: releases, rollouts, nowMicroseconds: rules.nowMicroseconds)
            }
        }
        return body
    }
}

extension ModelLifecycle.Change {
    /// This change, with further warnings in the answer.
    fileprivate func warning(of lines: [String]) -> Self {
        var change = self
        change.warnings += lines
        return change
    }
}

/// Checks the condition in the audience of a release. The rules of releases do not know the condition language.
enum ReleaseCondition {
    /// - Returns: warnings for the caller, one line each.
    /// - Throws: 400 that names the first character that cannot be parsed, or if the project's conditions would be too
    ///   large.
    static func check(_ audience: Audience?, in project: String, _ serving: ServingState) throws -> [String] {
        guard let text = audience?.condition else { return [] }
        let condition = try read(text, serving.conditions)
        try serving.current().projects[project]?.check(condition, field: "audience.condition")
        return warnings(of: condition)
    }

    /// Words of an audience that no device is known to send, one line each.
    static func warnings(of audience: Audience, _ serving: ServingState) -> [String] {
        let condition = audience.condition.flatMap { try? serving.conditions.read($0) }
        return AudienceWarnings.unknown(in: audience) + (condition.map { warnings(of: $0) } ?? [])
    }

    private static func warnings(of condition: Condition) -> [String] {
        condition.remoteConfigOnlySignals.map {
            "no device meets the condition: a device that asks for a model does not send \(OneLineText.word($0))"
        } + condition.warnings
    }

    private static func read(_ text: String, _ conditions: ConditionCache) throws(APIError) -> Condition {
        do throws(ConditionSyntaxError) {
            return try conditions.read(text)
        } catch {
            throw .invalid(
                "audience.condition", "\(error)", message: "The audience's condition cannot be read. \(error)",
                column: error.column, cause: error)
        }
    }
}
