import HearthCalls
import HearthCatalog
import HearthDevicePlane
import HearthExperiments
import HearthHTTP
import HearthRouting
import HearthServing
import HearthStorage
import HearthTargeting
import HearthWire

/// Says what an installation gets of a model, and why: with the code that answers devices.
struct ExplanationRoutes {
    private let context: RouteContext

    private let calls: RecentCalls

    init(_ context: RouteContext, _ calls: RecentCalls) {
        self.context = context
        self.calls = calls
    }

    var routes: [CallRoute] {
        [
            // A condition may take long.
            context.on(ReleaseCalls.explain) { try explain($0) }
        ]
    }

    private func explain(_ call: ReadCall) throws -> ReleaseBodies.Explanation {
        guard let named = call.query.first("installation"), !named.isEmpty else {
            let text = "Give the id of an installation."
            throw APIError.invalid("installation", text, message: text)
        }
        let target = try ModelPath(call)
        let (model, id, registered) = try call.read { store in
            let model = try target.model(store)
            let id = try self.id(of: named, model, call.project.id, store)
            return (model, id, try store.installation(fid: id, project: call.project.id))
        }
        guard let part = try context.serving.current().projects[call.project.id] else { throw APIError.notFound }
        let last = try calls.lastCall(
            project: call.project.id, model: model.displayName, installation: id)
        var facts = last?.facts ?? DeviceFacts(installationID: id, appID: registered?.appID ?? "")
        let given = try GivenFacts(call.query).apply(to: &facts)
        var shown = ReleaseBodies.Explanation.Facts(facts)
        shown.lastCallTime = last.map { WireTime.text($0.atMicroseconds) }
        shown.given = given.isEmpty ? nil : given
        let now = context.nowMicroseconds
        let releases = part.releases[model.displayName] ?? []
        let choice = DownloadChooser(part: part, model: model.displayName, releases: releases, nowMicroseconds: now)
            .choose(for: .known(facts))
        var explanation = ReleaseBodies.Explanation(
            model: model.displayName, installation: InstallationLogName(id: id).description,
            isRegistered: registered != nil, version: choice.version?.release.version, reason: "nothing",
            isPinned: choice.isPinned, facts: shown)
        explanation.experiments = Self.experiments(part, model.displayName, choice, facts, now)
        switch choice.reason {
        case .pin(let pin):
            explanation.reason = "pin"
            explanation.pin = PinPresentation.pin(pin.pin)
            if case .variant(let name, let experiment) = pin.pin.target {
                (explanation.experiment, explanation.variant) = (experiment, name)
            }
        case .experiment(let served, let variant):
            explanation.reason = "experiment"
            explanation.experiment = served.experiment.name
            explanation.variant = served.experiment.variants[variant].name
        case .release:
            if choice.version != nil { explanation.reason = "release" }
            let found = ReleaseChoice.explain(releases, for: facts, nowMicroseconds: now)
            explanation.releases = found.map { Self.step($0, now) }
        }
        return explanation
    }

    /// The installation's id, if the text is its name in logs and a pin has it or a call of it is remembered.
    ///
    /// - Throws: 404 for a name of none of these: it is a hash, from which the id cannot be calculated.
    private func id(
        of text: String, _ model: Model, _ project: String, _ store: any MetadataReader
    ) throws -> String {
        guard InstallationLogName.isName(text) else { return text }
        let calls = try calls.calls(project: project, model: model.displayName)
        let pinned = try store.pins(project: project).compactMap { pin in
            if case .installation(let id) = pin.device { id } else { nil }
        }
        let known = calls.lazy.map(\.facts.installationID).first { InstallationLogName(id: $0).description == text }
        guard let id = known ?? pinned.first(where: { InstallationLogName(id: $0).description == text }) else {
            throw APIError(
                .notFound,
                "The server remembers no call of '\(text)' for this model, and it has no pin; give the id of the installation."
            )
        }
        return id
    }

    private static func experiments(
        _ part: ServingSnapshot.ProjectPart, _ model: String, _ choice: DownloadChoice, _ facts: DeviceFacts,
        _ now: Int64
    ) -> [ReleaseBodies.Explanation.ExperimentStep]? {
        if case .pin = choice.reason { return nil }
        var subject = EvaluationContext(facts, nowMicroseconds: now, limitSteps: ConditionLimits.modelSteps)
        let pins = part.pins?.pins(of: facts.installationID) { facts.tags }
        let isPublished = !(part.releases[model] ?? []).isEmpty
        let found = part.experiments.explain(varying: model, of: &subject, pins: pins)
        return found.isEmpty ? nil : found.map { step($0, isPublished: isPublished) }
    }

    /// - Parameter isPublished: whether the model has an active release: only then do its experiments give versions.
    private static func step(
        _ finding: ExperimentFinding, isPublished: Bool
    ) -> ReleaseBodies.Explanation.ExperimentStep {
        let experiment = finding.experiment
        var step = ReleaseBodies.Explanation.ExperimentStep(
            experiment: experiment.name, share: Double(experiment.shareMillionths) / Double(Slots.count),
            audience: experiment.audience.isEmpty ? nil : experiment.audience,
            isIncluded: finding.absence == nil && isPublished)
        if let absence = finding.absence {
            (step.because, step.otherExperiment) = absence.words
        } else if !isPublished {
            step.because = "unpublished"
        }
        return step
    }

    private static func step(_ finding: ReleaseFinding, _ now: Int64) -> ReleaseBodies.Explanation.Step {
        let release = ReleasePresentation.release(finding.release, nowMicroseconds: now)
        var (because, number): (String?, Int?) = (nil, nil)
        switch finding.verdict {
        case .included(let own): number = own
        case .paused: because = "paused"
        case .audience(let term): because = term.rawValue
        case .share(let own, _): (because, number) = ("share", own)
        }
        return ReleaseBodies.Explanation.Step(
            release: release.release, version: release.version, state: release.state, share: release.share,
            audience: release.audience, isIncluded: finding.verdict.isIncluded, because: because,
            number: number.map { Double($0) / Double(Release.fullShare) })
    }
}

/// The facts about a device that a request gives.
private struct GivenFacts {
    private let query: QueryItems

    init(_ query: QueryItems) { self.query = query }

    /// - Returns: the names of the given facts.
    /// - Throws: 400 for a value that no device can send.
    func apply(to facts: inout DeviceFacts) throws(APIError) -> [String] {
        var given: [String] = []
        if let version = try value("appVersion", WireNames.isAppVersion) {
            facts.appVersion = version
            given.append("appVersion")
        }
        if let system = try value("os", { WireNames.isOperatingSystem($0.lowercased()) }) {
            facts.operatingSystem = system.lowercased()
            given.append("os")
        }
        if let language = try value("language", WireNames.isLanguage) {
            facts.languages = [language]
            given.append("language")
        }
        if let country = try value(
            "country", { WireNames.isCountry($0.uppercased()) }, expected: "A country has two letters, such as CH.")
        {
            facts.country = country.uppercased()
            given.append("country")
        }
        let tags = query.filter { $0.name == "tag" }.map(\.value)
        if !tags.isEmpty {
            guard tags.count <= DeviceFacts.tagLimit, tags.allSatisfy(WireNames.isDisplayName) else {
                throw Self.refusal("tag")
            }
            facts.tags = tags
            given.append("tags")
        }
        return given
    }

    private func value(
        _ name: String, _ isValid: (String) -> Bool, expected: String? = nil
    ) throws(APIError) -> String? {
        guard let value = query.first(name) else { return nil }
        guard isValid(value) else { throw Self.refusal(name, expected) }
        return value
    }

    private static func refusal(_ name: String, _ expected: String? = nil) -> APIError {
        let text = expected ?? "No device can send this \(name)."
        return .invalid(name, text, message: text)
    }
}

extension ReleaseBodies.Explanation.Facts {
    fileprivate init(_ facts: DeviceFacts) {
        self.init()
        appVersion = facts.appVersion
        os = facts.operatingSystem
        language = facts.languages.first
        country = facts.country
        tags = facts.tags.isEmpty ? nil : facts.tags
        knownHash = facts.knownHash
    }
}
