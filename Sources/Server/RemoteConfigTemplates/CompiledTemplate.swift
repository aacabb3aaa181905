import HearthCrypto
package import HearthTargeting
package import HearthWire

/// A template in the form that answers devices: conditions parsed, values in order. Immutable; safe to use from any
/// thread.
package final class CompiledTemplate: Sendable {
    /// A parameter, with the indices of its conditions.
    private struct Parameter {
        let key: String
        /// In the order of the conditions' priority.
        let conditional: [(condition: Int, value: CompiledValue)]
        let defaultValue: CompiledValue
    }

    /// In order of priority; nil for a condition above the limits, which no device meets.
    private let conditions: [Condition?]
    private let parameters: [Parameter]
    /// The names of the conditions that no device meets because they are above the limits. A template that this version
    /// of the server checked has none.
    package let refusedConditions: [String]
    /// The keys of all parameters, in order.
    package let parameterKeys: [String]
    /// The names of all conditions, in order of priority.
    package let conditionNames: [String]
    /// The highest cost of one answer.
    package let cost: ConditionCost

    /// - Parameter known: conditions that were parsed before, by their text; they are not parsed again.
    /// - Throws: what `TemplateValidator.check` throws, except for conditions above the limits: a template from an
    ///   older server is used without them.
    package init(_ template: RemoteConfigTemplate, known: [String: Condition] = [:]) throws(TemplateError) {
        var reader = ConditionReader(known: known)
        var conditions: [Condition?] = []
        var refused: [String] = []
        var places: [String: Int] = [:]
        for (index, condition) in (template.conditions ?? []).enumerated() {
            do throws(ConditionSyntaxError) {
                conditions.append(try reader.read(condition.expression))
            } catch {
                guard error.isTooLarge else {
                    throw TemplateError(
                        code: .invalidCondition, path: "conditions[\(index)].expression", message: "\(error)",
                        condition: condition.name, syntaxError: error)
                }
                conditions.append(nil)
                refused.append(condition.name)
            }
            places[condition.name] = index
        }
        refusedConditions = refused
        self.conditions = conditions
        let groups = (template.parameterGroups ?? [:]).values.compactMap(\.parameters)
        let all = ([template.parameters ?? [:]] + groups).flatMap { $0 }.sorted { $0.key < $1.key }
        parameterKeys = all.map(\.key)
        conditionNames = (template.conditions ?? []).map(\.name)
        parameters = all.map { key, parameter in
            let conditional = (parameter.conditionalValues ?? [:]).compactMap { name, value in
                places[name].map { (condition: $0, value: CompiledValue(value, key: key)) }
            }
            return Parameter(
                key: key, conditional: conditional.sorted { $0.condition < $1.condition },
                defaultValue: CompiledValue(parameter.defaultValue ?? .inAppDefault, key: key))
        }
        cost = parameters.reduce(conditions.reduce(ConditionCost()) { $0 + ($1?.cost ?? ConditionCost()) }) {
            $1.conditional.reduce($0 + $1.defaultValue.cost) { $0 + $1.value.cost }
        }
    }

    /// The parsed conditions, by their text.
    package var conditionsByText: [String: Condition] {
        Dictionary(conditions.compactMap { $0.map { ($0.text, $0) } }, uniquingKeysWith: { first, _ in first })
    }

    /// The values for the device: for each parameter, the value of the first condition, in order of priority, that the
    /// device meets and the parameter has a value for; otherwise its default.
    ///
    /// - Parameter variants: the device's variant of each experiment that it takes part in, by the experiment's id.
    package func resolve(
        for device: DeviceFacts, nowMicroseconds: Int64, variants: [String: String] = [:]
    ) -> Resolution {
        var subject = EvaluationContext(device, nowMicroseconds: nowMicroseconds)
        return resolve(for: &subject, variants: variants)
    }

    /// The values for a device for which conditions were evaluated before. When no steps are left, all further
    /// conditions are false, and parameters get their remaining values.
    package func resolve(for subject: inout EvaluationContext, variants: [String: String] = [:]) -> Resolution {
        var trace: Trace?
        return resolve(for: &subject, variants: variants, trace: &trace)
    }

    /// - Parameter trace: if it is not nil, it gets the decisions.
    private func resolve(
        for subject: inout EvaluationContext, variants: [String: String], trace: inout Trace?
    ) -> Resolution {
        // Each condition is evaluated at most once, and only if a parameter needs it.
        var known = [Bool?](repeating: nil, count: conditions.count)
        func holds(_ index: Int) -> Bool {
            if let answer = known[index] { return answer }
            let answer = conditions[index]?.holds(for: &subject) ?? false
            known[index] = answer
            return answer
        }
        var resolution = Resolution(capacity: parameters.count)
        for parameter in parameters {
            let decider = parameter.conditional.firstIndex { candidate in
                holds(candidate.condition) && candidate.value.decide(for: &subject, variants, &resolution)
            }
            if decider == nil { _ = parameter.defaultValue.decide(for: &subject, variants, &resolution) }
            trace?.deciders.append(decider)
        }
        trace?.conditions = known
        return resolution
    }

    /// What decided.
    private struct Trace {
        /// For each parameter, the index of its conditional value that applies; nil for the default.
        var deciders: [Int?] = []
        /// Whether each condition holds; nil for those that no parameter needed.
        var conditions: [Bool?] = []
    }

    /// The values for the device, and why it gets these. Takes up to twice the steps of `resolve`, whose limit does not apply
    /// to the second half.
    package func explain(for subject: inout EvaluationContext, variants: [String: String] = [:]) -> Explanation {
        var trace: Trace? = Trace()
        let resolution = resolve(for: &subject, variants: variants, trace: &trace)
        let (deciders, known) = (trace?.deciders ?? [], trace?.conditions ?? [])
        // With steps of its own, because it looks at more terms and conditions than the device's fetch.
        var second = EvaluationContext(subject.device, nowMicroseconds: subject.nowMicroseconds)
        let findings = zip(conditions, known).map { condition, isTrue -> ConditionFinding in
            if isTrue == true { return .holds }
            let finding = condition?.explain(for: &second) ?? .tooLarge
            // It would hold, but the fetch had too few steps left.
            return isTrue == false && finding == .holds ? .exhausted : finding
        }
        let parameters = zip(parameters, deciders).map { parameter, decider in
            let before = parameter.conditional[..<(decider ?? parameter.conditional.count)]
            func choice(_ candidate: (condition: Int, value: CompiledValue)) -> Explanation.Choice {
                Explanation.Choice(
                    condition: conditionNames[candidate.condition], kind: candidate.value.kind(variants))
            }
            return Explanation.Parameter(
                key: parameter.key,
                choice: decider.map { choice(parameter.conditional[$0]) }
                    ?? Explanation.Choice(condition: nil, kind: parameter.defaultValue.kind(variants)),
                skipped: before.filter { known[$0.condition] == true }.map(choice),
                failed: before.filter { known[$0.condition] != true }.map { conditionNames[$0.condition] })
        }
        return Explanation(
            resolution: resolution, parameters: parameters,
            conditions: zip(conditionNames, zip(conditions, findings)).map {
                Explanation.Condition(name: $0, expression: $1.0?.text, finding: $1.1)
            })
    }
}

extension CompiledTemplate {
    /// The values of one device.
    package struct Resolution: Sendable {
        /// In the order of their keys. Keys with the app's own default are left out.
        package private(set) var entries: [ConfigEntry] = []
        /// For each rollout that changed something for the device, the keys that it changed.
        package var rollouts: [String: [String]] = [:]

        init(capacity: Int) { entries.reserveCapacity(capacity) }

        /// Adds an entry, whose key must be after all others.
        mutating func append(_ entry: ConfigEntry) { entries.append(entry) }

        /// Sets the values of these keys, whether they had one or not.
        package mutating func replace(with entries: [ConfigEntry]) {
            for entry in entries { replace(with: entry) }
            guard !rollouts.isEmpty, !entries.isEmpty else { return }
            // The values replace those of rollouts, which therefore no longer count.
            let keys = Set(entries.map(\.key))
            rollouts = rollouts.mapValues { $0.filter { !keys.contains($0) } }.filter { !$0.value.isEmpty }
        }

        private mutating func replace(with entry: ConfigEntry) {
            let place = place(ofKey: entry.key)
            if place < entries.count, entries[place].key == entry.key {
                entries[place] = entry
            } else {
                entries.insert(entry, at: place)
            }
        }

        /// The index of the first entry whose key is not before this one.
        private func place(ofKey key: String) -> Int {
            var low = 0
            var high = entries.count
            while low < high {
                let middle = (low + high) / 2
                if entries[middle].key < key { low = middle + 1 } else { high = middle }
            }
            return low
        }
    }
}

/// A value of a parameter, with its entries already encoded.
enum CompiledValue {
    case entry(ConfigEntry)
    /// The key is left out.
    case inAppDefault
    /// For a share of the installations, in the order that the id draws.
    case rollout(id: String, microPercents: Range<Int64>, ConfigEntry)
    /// By variant; only the variants that change something.
    case experiment(id: String, [String: ConfigEntry])
    /// For no device: Hearth has no user models that could choose a value.
    case never

    init(_ value: RemoteConfigParameterValue, key: String) {
        switch value {
        case .text(let text): self = .entry(ConfigEntry(key: key, value: text))
        case .inAppDefault: self = .inAppDefault
        case .rollout(let rollout):
            self = .rollout(
                id: rollout.rolloutId, microPercents: rollout.microPercents ?? 0..<0,
                ConfigEntry(key: key, value: rollout.value))
        case .experiment(let experiment):
            let firsts = Dictionary(
                experiment.variantValue.map { ($0.variantId, $0) }, uniquingKeysWith: { first, _ in first })
            let entries = firsts.compactMapValues { variant in
                variant.noChange == true ? nil : variant.value.map { ConfigEntry(key: key, value: $0) }
            }
            self = .experiment(id: experiment.experimentId, entries)
        case .personalization: self = .never
        }
    }

    /// The cost of the decision, after its condition.
    var cost: ConditionCost {
        switch self {
        case .entry, .inAppDefault, .never: ConditionCost(fixedSteps: Self.lookSteps)
        case .rollout: ConditionCost(fixedSteps: ConditionLimits.drawSteps)
        case .experiment: ConditionCost(fixedSteps: 4 * Self.lookSteps)
        }
    }

    private static let lookSteps = 16

    func kind(_ variants: [String: String]) -> CompiledTemplate.Explanation.Choice.Kind {
        switch self {
        case .entry, .inAppDefault: .plain
        case .rollout(let id, _, _): .rollout(id: id)
        case .experiment(let id, _): .experiment(id: id, variant: variants[id])
        case .never: .personalization
        }
    }

    /// Whether the value applies to the device. If not, the next value decides.
    func decide(
        for subject: inout EvaluationContext, _ variants: [String: String],
        _ resolution: inout CompiledTemplate.Resolution
    ) -> Bool {
        // A plain value costs almost nothing, so a device without steps still gets it.
        switch self {
        case .entry(let entry): resolution.append(entry)
        case .inAppDefault: break
        case .rollout(let id, let microPercents, let entry):
            guard subject.consumeSteps(cost.fixedSteps),
                InstallationShare.contains(subject.device.installationID, microPercents: microPercents, seed: id)
            else {
                return false
            }
            resolution.append(entry)
            resolution.rollouts[id, default: []].append(entry.key)
        case .experiment(let id, let entries):
            // "No change" leaves the decision to the next value, as for a device that does not take part.
            guard subject.consumeSteps(cost.fixedSteps), let own = variants[id], let entry = entries[own] else {
                return false
            }
            resolution.append(entry)
        case .never: return false
        }
        return true
    }
}

extension RemoteConfigRollout {
    private static let whole: Int64 = 100_000_000

    /// The installations that get the value, as a range in millionths of a percent: the given range, or else the first
    /// `percent`. Nil for an invalid range.
    var microPercents: Range<Int64>? {
        guard let microPercentRange else {
            guard let percent, (0...100).contains(percent) else { return percent == nil ? 0..<0 : nil }
            return 0..<Int64((percent * 1_000_000).rounded())
        }
        // Zeros are left out of the JSON.
        let (start, end) = (microPercentRange.microPercentStart ?? 0, microPercentRange.microPercentEnd ?? 0)
        guard 0 <= start, start <= end, end <= Self.whole else { return nil }
        return start..<end
    }
}

/// A parameter's value in the form that is sent to devices. It is encoded once, because it is sent often. Immutable;
/// safe to use from any thread.
package final class ConfigEntry: Sendable {
    package let key: String
    package let value: String
    /// `"key":"value"`, as in a JSON object.
    package let json: [UInt8]
    /// Represents key and value in the ETag of an answer: the first eight bytes of the SHA-256 of `json`, big-endian.
    package let digest: UInt64

    package init(key: String, value: String) {
        self.key = key
        self.value = value
        var json: [UInt8] = []
        JSONText.append(key, to: &json)
        json.append(UInt8(ascii: ":"))
        JSONText.append(value, to: &json)
        self.json = json
        digest = SHA256Hasher.hash(json).bytes.prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
    }
}
