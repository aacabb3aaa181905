import HearthCatalog
import HearthConfiguration
import HearthStorage
import HearthWire

/// A project's active template as devices are answered from it.
final class ServedTemplate: Sendable {
    let number: Int64
    let compiled: CompiledTemplate

    private init(number: Int64, compiled: CompiledTemplate) {
        self.number = number
        self.compiled = compiled
    }

    /// By project. Those that were read before are not read again: a change of a release is no reason to. What cannot be read,
    /// because its row is damaged, leaves the one before in its place, and everybody else's answers as they are.
    static func all(_ reader: any MetadataReader, known: [String: ServedTemplate]) throws -> [String: ServedTemplate] {
        let namespace = TemplateNamespace.client.rawValue
        var templates: [String: ServedTemplate] = [:]
        for (project, number) in try reader.activeTemplateNumbers(namespace: namespace) {
            if let same = known[project], same.number == number {
                templates[project] = same
            } else {
                templates[project] =
                    (try? read(reader.template(project: project, namespace: namespace, number: number)))
                    ?? known[project]
            }
        }
        return templates
    }

    private static func read(_ version: TemplateVersion?) throws -> ServedTemplate? {
        guard let version else { return nil }
        let body = try WireJSON.decode(ConfigTemplate.self, from: version.body.utf8)
        return ServedTemplate(number: version.number, compiled: try CompiledTemplate(body))
    }
}
