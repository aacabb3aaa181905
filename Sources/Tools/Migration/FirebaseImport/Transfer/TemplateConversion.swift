import HearthRemoteConfigTemplates
import HearthTargeting
package import HearthWire

/// A Remote Config template of Firebase in the form that a Hearth server accepts, and what that changes.
package struct TemplateConversion {
    package let template: RemoteConfigTemplate
    /// Conditions that hold for no device here, a sentence each.
    package let conditions: [String]
    /// Values that no device gets here, a sentence each.
    package let values: [String]
    /// Values that need a step of the user, a sentence each.
    package let todo: [String]
    private let source: JSONValue

    /// - Throws: `malformedAnswer` if this is no template at all.
    package init(_ json: JSONValue, isForServers: Bool = false) throws(FirebaseError) {
        var filter = UnknownValueFilter(isForServers: isForServers)
        var template: RemoteConfigTemplate
        do {
            template = try WireJSON.decode(RemoteConfigTemplate.self, from: WireJSON.encode(filter.known(json)))
        } catch {
            throw FirebaseError(
                .malformedAnswer, "This is not a template that Hearth can read: \(error.firstLine)", cause: error)
        }
        var notes: [String] = []
        for (index, condition) in (template.conditions ?? []).enumerated() {
            let verdict = Self.verdict(on: condition, isForServers: isForServers)
            if let note = verdict.note { notes.append("condition '\(condition.name)': \(note)") }
            if !verdict.isReadable { template.conditions?[index].expression = "false" }
            if !Self.isKnownColour(condition.tagColor) { template.conditions?[index].tagColor = nil }
        }
        let retyped = Self.retype(&template)
        self.template = template
        source = json
        conditions = notes
        let byKey = template.parametersByKey
        values = filter.notes + Self.values(of: byKey)
        todo = retyped + Self.experiments(in: byKey)
    }

    /// Members that Hearth does not know; they are only in the import folder.
    package var unknownMembers: [String] {
        let kept = try? JSONValue(json: WireJSON.encode(template))
        return kept.map { source.paths(missingIn: $0).filter { $0 != "etag" } } ?? []
    }

    /// Why the condition holds for nobody here, and what to do; no note for any other condition.
    private static func verdict(
        on condition: RemoteConfigCondition, isForServers: Bool
    ) -> (note: String?, isReadable: Bool) {
        let read: Condition
        do throws(ConditionSyntaxError) {
            read = try Condition(condition.expression)
        } catch {
            return (
                "Hearth cannot read it (\(error.message)), so it became 'false'. It was: \(condition.expression)", false
            )
        }
        if isForServers, read.serverTerms == nil {
            return (
                """
                In a template for servers, Hearth knows only percent, app.customSignal, true and false, so it became 'false'. \
                It was: \(condition.expression)
                """, false
            )
        }
        for (signal, remedy) in unknownSignals where condition.expression.contains(signal) {
            return ("it uses \(signal), so it holds for nobody here. \(remedy)", true)
        }
        return (nil, true)
    }

    private static let unknownSignals = [
        ("app.audiences", "Only Google's analytics know audiences: send a custom signal or a tag from the app."),
        ("app.importedSegments", "Only Google knows imported segments: send a custom signal or a tag from the app."),
        ("app.operatingSystemAndVersion", "No client of Hearth sends it: send a custom signal from the app."),
        ("app.browserAndVersion", "No client of Hearth sends it: send a custom signal from the app."),
        (
            "app.userProperty",
            "Hearth's client sends no user properties: call setCustomSignals, and use app.customSignal."
        ),
    ]

    private static func isKnownColour(_ colour: String?) -> Bool {
        colour.map {
            [
                "CONDITION_DISPLAY_COLOR_UNSPECIFIED", "BLUE", "BROWN", "CYAN", "DEEP_ORANGE", "GREEN", "INDIGO",
                "LIME",
                "ORANGE", "PINK", "PURPLE", "TEAL",
            ].contains($0)
        } ?? true
    }

    /// Makes texts of the parameters whose values are not of their type: the server would refuse the whole template. Devices
    /// get the same values, because every value is sent as text.
    ///
    /// - Returns: a sentence for each of these parameters.
    private static func retype(_ template: inout RemoteConfigTemplate) -> [String] {
        var notes: [String] = []
        func retype(_ parameters: inout [String: RemoteConfigParameter]?) {
            for (key, parameter) in (parameters ?? [:]).sorted(by: { $0.key < $1.key }) {
                guard let type = parameter.valueType.flatMap(ParameterType.init),
                    let wrong = wrongValue(of: parameter, type)
                else { continue }
                parameters?[key]?.valueType = ParameterType.string.rawValue
                notes.append(
                    """
                    parameter \(key), \(wrong.place): \(wrong.problem) Devices get it as it is, and the parameter became a \
                    STRING. Correct the value, and make the parameter a \(type.rawValue) again.
                    """)
            }
        }
        retype(&template.parameters)
        for name in (template.parameterGroups ?? [:]).keys.sorted() {
            var parameters = template.parameterGroups?[name]?.parameters
            retype(&parameters)
            template.parameterGroups?[name]?.parameters = parameters
        }
        return notes
    }

    private static func wrongValue(
        of parameter: RemoteConfigParameter, _ type: ParameterType
    ) -> (place: String, problem: String)? {
        let conditional = (parameter.conditionalValues ?? [:]).sorted { $0.key < $1.key }
        let all = [("default", parameter.defaultValue)] + conditional.map { ("condition '\($0)'", Optional($1)) }
        for (place, value) in all {
            for text in value?.texts ?? [] {
                if let refusal = type.refusal(of: text) { return (place, refusal.message) }
            }
        }
        return nil
    }

    private static func values(of parameters: [(key: String, parameter: RemoteConfigParameter)]) -> [String] {
        parameters.flatMap { key, parameter in
            (parameter.conditionalValues ?? [:]).sorted { $0.key < $1.key }.compactMap { condition, value in
                switch value {
                case .text, .inAppDefault, .experiment: nil
                case .personalization:
                    "parameter \(key), condition '\(condition)': a personalization, which only Google can choose; nobody gets it."
                case .rollout(let rollout):
                    """
                    parameter \(key), condition '\(condition)': the rollout \(rollout.rolloutId) continues with the same share, \
                    for other installations.
                    """
                }
            }
        }
    }

    private static func experiments(in parameters: [(key: String, parameter: RemoteConfigParameter)]) -> [String] {
        parameters.flatMap { key, parameter in
            (parameter.conditionalValues ?? [:]).sorted { $0.key < $1.key }.compactMap { condition, value in
                guard case .experiment(let experiment) = value else { return nil }
                return """
                    parameter \(key), condition '\(condition)': the values of Firebase's experiment \(experiment.experimentId); \
                    nobody gets them until you start an experiment here.
                    """
            }
        }
    }
}

extension RemoteConfigTemplate {
    /// All parameters, of all groups, by key and in its order.
    var parametersByKey: [(key: String, parameter: RemoteConfigParameter)] {
        let groups = (parameterGroups ?? [:]).values.compactMap(\.parameters)
        return ([parameters ?? [:]] + groups).flatMap { $0 }.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    }
}

extension RemoteConfigParameterValue {
    /// All that devices may get of it.
    fileprivate var texts: [String] {
        switch self {
        case .text(let text): [text]
        case .rollout(let rollout): [rollout.value]
        case .experiment(let experiment): experiment.variantValue.compactMap(\.value)
        case .inAppDefault, .personalization: []
        }
    }
}

extension Error {
    /// For a message of one line.
    fileprivate var firstLine: String {
        guard case let error as DecodingError = self else { return "\(self)" }
        let context: DecodingError.Context? =
            switch error {
            case .typeMismatch(_, let context), .valueNotFound(_, let context), .keyNotFound(_, let context),
                .dataCorrupted(let context):
                context
            @unknown default: nil
            }
        let path = (context?.codingPath ?? []).map { $0.intValue.map(String.init) ?? $0.stringValue }
        return "\(path.joined(separator: ".")): \(context?.debugDescription ?? "\(error)")"
    }
}
