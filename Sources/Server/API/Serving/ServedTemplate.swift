import HearthCatalog
import HearthConfiguration
import HearthWire

/// A project's active template as devices are answered from it.
final class ServedTemplate: Sendable {
    let number: Int64
    let compiled: CompiledTemplate

    private init(number: Int64, compiled: CompiledTemplate) {
        self.number = number
        self.compiled = compiled
    }

    /// By project. Those that were read before are not read again: a change of a release is no reason to.
    static func all(_ versions: [TemplateVersion], known: [String: ServedTemplate]) throws -> [String: ServedTemplate] {
        var templates: [String: ServedTemplate] = [:]
        for version in versions {
            if let same = known[version.projectID], same.number == version.number {
                templates[version.projectID] = same
            } else {
                let body = try WireJSON.decode(ConfigTemplate.self, from: version.body.utf8)
                templates[version.projectID] = ServedTemplate(
                    number: version.number, compiled: try CompiledTemplate(body))
            }
        }
        return templates
    }
}
