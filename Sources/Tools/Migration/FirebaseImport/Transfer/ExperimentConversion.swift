package import HearthCalls
import HearthTargeting
package import HearthWire

/// The definition of a Firebase experiment as a draft for Hearth.
package struct ExperimentConversion {
    /// Nil if Hearth cannot have such an experiment.
    package private(set) var definition: ExperimentBodies.Definition?
    /// Firebase's id of the experiment.
    package let id: String
    package let displayName: String
    /// Firebase's word for its state.
    package let state: String
    /// What the draft lacks or changes, or why there is none, a sentence each.
    package private(set) var notes: [String] = []

    /// Whether nobody can continue it.
    package var hasEnded: Bool { Self.endedStates.contains(state) }

    /// Experiments in these states have ended; only their definition is kept.
    private static let endedStates: Set<String> = ["STOPPED", "ENDED", "ROLLED_OUT", "COMPLETED", "EXPIRED", "DELETED"]
    private static let knownStates: Set<String> = ["DRAFT", "RUNNING", "PENDING", "PAUSED"]

    /// - Parameter template: the template of the same project, which has the variants' values.
    package init(_ json: JSONValue, template: RemoteConfigTemplate?) {
        let about = json["definition"]
        id = json["name"]?.text?.split(separator: "/").last.map(String.init) ?? ""
        displayName = about?["displayName"]?.text ?? id
        state = json["state"]?.text ?? "unknown"
        if hasEnded {
            notes.append("it has ended; its results cannot be exported")
            return
        }
        if !Self.knownStates.contains(state) { notes.append("its state \(state) is unknown here") }
        guard let variants = Self.variants(about), variants.count >= 2 else {
            notes.append("its definition has no two variants")
            return
        }
        guard let goal = Self.goal(about) else {
            notes.append("its goal is measured only by Google's analytics; choose an event of your app as the goal")
            return
        }
        var definition = ExperimentBodies.Definition(
            name: Self.name(displayName, id), variants: variants, goal: goal)
        definition.note = "Firebase's experiment \(id): \(displayName)".prefixed(256)
        let values = Self.values(of: id, in: template)
        guard !values.isEmpty else {
            notes.append("the template has no values of it; a draft needs the values of each variant")
            return
        }
        for value in values { Self.add(value, to: &definition) }
        if let share = values.lazy.compactMap(\.value.exposurePercent).first, share > 0, share < 100 {
            definition.share = share / 100
        }
        let audience = values.compactMap(\.audience).first
        if let audience, (try? Condition(audience)) != nil { definition.audience = audience }
        self.definition = definition
        notes.append("installations are assigned anew; results so far stay in Google's analytics")
    }

    private static func variants(_ about: JSONValue?) -> [ExperimentBodies.Variant]? {
        guard let items = about?["variants"]?.items, !items.isEmpty else { return nil }
        var names: Set<String> = []
        return items.enumerated().map { index, item in
            var name = word(item["name"]?.text ?? "", orElse: "variant-\(index)")
            if !names.insert(name).inserted {
                name = "\(name.prefix(27))-\(index)"
                names.insert(name)
            }
            let weight = item["weight"]?.integer.map { Int(clamping: min(max($0, 1), 1000)) }
            return ExperimentBodies.Variant(name: name, weight: weight)
        }
    }

    /// The primary goal, if it counts an event that the app logs.
    private static func goal(_ about: JSONValue?) -> ExperimentBodies.Metric? {
        let goals = about?["objectives"]?["eventObjectives"]?.items ?? []
        let own = goals.filter { $0["customObjectiveDetails"]?["event"]?.text != nil }
        guard let goal = own.first(where: { $0["isPrimary"]?.isTrue == true }) ?? own.first,
            let event = goal["customObjectiveDetails"]?["event"]?.text, WireNames.isEventName(event)
        else { return nil }
        let counts = goal["customObjectiveDetails"]?["countType"]?.text
        return ExperimentBodies.Metric(event: event, kind: counts == "EVENT_VALUE" ? "total" : "conversion")
    }

    /// A value of a parameter, and the condition below which it stands.
    private struct Value {
        var key: String
        var value: RemoteConfigExperimentValue
        var audience: String?
    }

    private static func values(of id: String, in template: RemoteConfigTemplate?) -> [Value] {
        guard let template else { return [] }
        let expressions = Dictionary(
            (template.conditions ?? []).map { ($0.name, $0.expression) }, uniquingKeysWith: { first, _ in first })
        return template.parametersByKey.flatMap { key, parameter in
            (parameter.conditionalValues ?? [:]).sorted { $0.key < $1.key }.compactMap { condition, value in
                guard case .experiment(let experiment) = value, experiment.experimentId == id else { return nil }
                return Value(key: key, value: experiment, audience: expressions[condition])
            }
        }
    }

    /// Firebase names a variant of a value by its place: 0 is the baseline.
    private static func add(_ value: Value, to definition: inout ExperimentBodies.Definition) {
        for (place, variant) in value.value.variantValue.enumerated() {
            let index =
                Int(variant.variantId) ?? definition.variants.firstIndex { $0.name == variant.variantId } ?? place
            guard definition.variants.indices.contains(index), variant.noChange != true, let text = variant.value else {
                continue
            }
            definition.variants[index].parameters = (definition.variants[index].parameters ?? [:])
                .merging([value.key: text]) { first, _ in first }
        }
    }

    /// Unique in the project, because Firebase's ids are.
    private static func name(_ displayName: String, _ id: String) -> String {
        let end = "-" + word(id, orElse: "0").suffix(8)
        return word(displayName, orElse: "experiment").prefix(WireNames.displayNameLimit - end.utf8.count) + end
    }

    /// Letters, digits, hyphens and underscores; everything else becomes a hyphen.
    private static func word(_ text: String, orElse other: String) -> String {
        var word = ""
        for character in text.unicodeScalars {
            if WireNames.isWord(String(character)) {
                word.unicodeScalars.append(character)
            } else if !word.isEmpty, !word.hasSuffix("-") {
                word += "-"
            }
        }
        while word.hasSuffix("-") { word.removeLast() }
        return word.isEmpty ? other : String(word.prefix(WireNames.displayNameLimit))
    }
}

extension String {
    fileprivate func prefixed(_ count: Int) -> String { String(prefix(count)) }
}
