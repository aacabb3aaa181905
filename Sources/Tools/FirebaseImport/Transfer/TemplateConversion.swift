import HearthTargeting
package import HearthWire

/// A Remote Config template of Firebase in the form that a Hearth server accepts, and what that changes.
package struct TemplateConversion {
    package let template: RemoteConfigTemplate
    /// Members that Hearth does not know; they are only in the import folder.
    package let unknownMembers: [String]
    /// Conditions that hold for no device here, a sentence each.
    package let conditions: [String]
    /// Values that no device gets here, a sentence each.
    package let values: [String]

    /// - Throws: `malformedAnswer` if this is no template at all.
    package init(_ json: JSONValue) throws(FirebaseError) {
        var template: RemoteConfigTemplate
        do {
            template = try WireJSON.decode(RemoteConfigTemplate.self, from: WireJSON.encode(json))
        } catch {
            throw FirebaseError(
                .malformedAnswer, "This is not a template that Hearth can read: \(error.firstLine)", cause: error)
        }
        var notes: [String] = []
        for (index, condition) in (template.conditions ?? []).enumerated() {
            guard let note = Self.note(on: condition) else { continue }
            notes.append("condition '\(condition.name)': \(note)")
            do throws(ConditionSyntaxError) {
                _ = try Condition(condition.expression)
            } catch {
                template.conditions?[index].expression = "false"
            }
        }
        if let colours = template.conditions {
            for (index, condition) in colours.enumerated() where !Self.isKnownColour(condition.tagColor) {
                template.conditions?[index].tagColor = nil
            }
        }
        self.template = template
        conditions = notes
        values = Self.notes(onValues: template)
        let kept = try? JSONValue(json: WireJSON.encode(template))
        unknownMembers = kept.map { json.paths(missingIn: $0).filter { $0 != "etag" } } ?? []
    }

    /// Why the condition holds for nobody here, and what to do; nil for any other condition.
    private static func note(on condition: RemoteConfigCondition) -> String? {
        do throws(ConditionSyntaxError) {
            _ = try Condition(condition.expression)
        } catch {
            return """
                Hearth cannot read it (\(error.message)), so it became 'false'. It was: \(condition.expression)
                """
        }
        for (signal, remedy) in unknownSignals where condition.expression.contains(signal) {
            return "it uses \(signal), so it holds for nobody here. \(remedy)"
        }
        return nil
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

    private static func notes(onValues template: RemoteConfigTemplate) -> [String] {
        template.parametersByKey.flatMap { key, parameter in
            (parameter.conditionalValues ?? [:]).sorted { $0.key < $1.key }.compactMap { condition, value in
                switch value {
                case .text, .inAppDefault: nil
                case .personalization:
                    "parameter \(key), condition '\(condition)': a personalization, which only Google can choose; nobody gets it."
                case .experiment(let experiment):
                    """
                    parameter \(key), condition '\(condition)': the values of Firebase's experiment \(experiment.experimentId); \
                    nobody gets them until you start an experiment here.
                    """
                case .rollout(let rollout):
                    """
                    parameter \(key), condition '\(condition)': the rollout \(rollout.rolloutId) continues with the same share, \
                    for other installations.
                    """
                }
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
