package import HearthTargeting
package import HearthWire

/// What `TemplateValidator` found in a template.
package struct CheckedTemplate: Sendable {
    /// A value that is not of its parameter's type, although earlier versions of the server took it.
    package struct OutdatedValue: Sendable {
        /// The key of the parameter.
        package let key: String
        package let error: TemplateError
    }

    /// By their text.
    package let conditions: [String: Condition]
    /// In the order of the parameters.
    package let outdated: [OutdatedValue]

    /// - Parameter stored: the template before the change. A parameter that is as before may keep such values: a change of
    ///   another parameter is not the moment to refuse them.
    /// - Throws: the error of the first such value of another parameter.
    package func refuseChanges(
        of template: RemoteConfigTemplate, since stored: RemoteConfigTemplate?
    ) throws(TemplateError) {
        guard !outdated.isEmpty else { return }
        func byKey(_ template: RemoteConfigTemplate?) -> [String: RemoteConfigParameter] {
            Dictionary(
                (template?.allParameters ?? []).map { ($0.key, $0.parameter) }, uniquingKeysWith: { first, _ in first })
        }
        let (now, before) = (byKey(template), byKey(stored))
        if let value = outdated.first(where: { now[$0.key] != before[$0.key] }) { throw value.error }
    }
}
