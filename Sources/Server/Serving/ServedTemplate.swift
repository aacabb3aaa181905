import HearthConcurrency
package import HearthRemoteConfigTemplates
import HearthStorage
import Synchronization

/// A project's active template in the form that answers devices. It is read and compiled when the first device asks, or
/// before, by the call that put it. So neither a start nor another project waits for it. Safe to call from any thread.
package final class ServedTemplate: Sendable {
    /// The compiled template.
    package final class Content: Sendable {
        /// The number of an older template if the present one cannot be read.
        package let number: Int64
        /// Nil if no template of the project can be read.
        package let compiled: CompiledTemplate?
        private let isExhaustionLogged = Atomic(false)

        package init(number: Int64, compiled: CompiledTemplate?) {
            self.number = number
            self.compiled = compiled
        }

        /// True on the first call only.
        package func claimExhaustionLog() -> Bool { !isExhaustionLogged.exchange(true, ordering: .relaxed) }
    }

    package let number: Int64
    private let project: String
    private let made = AtomicLazyReference<Content>()
    /// Locked while the template is compiled, so that only one thread does it.
    private let building = Lock<Void>(())
    /// The content that it replaces, until it is compiled itself.
    private let old: Lock<Content?>

    /// - Parameters:
    ///   - content: if the template was compiled before.
    ///   - old: the content that it replaces.
    init(project: String, number: Int64, content: Content? = nil, old: Content? = nil) {
        self.project = project
        self.number = number
        self.old = Lock(content == nil ? old : nil)
        if let content { _ = made.storeIfNil(content) }
    }

    /// Nil until the template is compiled.
    package var content: Content? { made.load() }

    /// Compiles the template if necessary, which may take a while: never call it on the HTTP server's threads. If its
    /// row is damaged, the previous content stays.
    ///
    /// - Throws: what the store throws.
    func content(from metadata: any MetadataStore, log: @Sendable (String) -> Void) throws -> Content {
        if let known = made.load() { return known }
        return try building.withLock { _ in
            if let known = made.load() { return known }
            let content = made.storeIfNil(try read(metadata, old.withLock { $0 }, log))
            old.withLock { $0 = nil }
            return content
        }
    }

    /// The content that can answer now: its own, or the one that it replaces.
    package var latest: Content? { made.load() ?? old.withLock { $0 } }

    private func read(
        _ metadata: any MetadataStore, _ old: Content?, _ log: @Sendable (String) -> Void
    ) throws -> Content {
        let namespace = TemplateNamespace.client.rawValue
        let known = old?.compiled?.conditionsByText ?? [:]
        let version = try metadata.read { try $0.template(project: project, namespace: namespace, number: number) }
        do {
            guard let version else { throw StorageError(.corrupt, "It is not there") }
            let compiled = try CompiledTemplate(version.template(), known: known)
            if !compiled.refusedConditions.isEmpty {
                let names = compiled.refusedConditions.prefix(5).map { "'\($0)'" }.joined(separator: ", ")
                log(
                    """
                    project '\(project)': \(compiled.refusedConditions.count) conditions of its template \(number) are above the limits \
                    of conditions, so no device meets them: \(names); put the template again with simpler ones
                    """)
            }
            return Content(number: number, compiled: compiled)
        } catch {
            log("project '\(project)': template \(number) cannot be read; devices get the previous one: \(error)")
            return old ?? Content(number: number, compiled: nil)
        }
    }

    /// By project. Unchanged templates are kept: a change of a release is no reason to read them again.
    ///
    /// - Parameter isSameHistory: whether the number of a known template still names that template.
    static func all(
        _ reader: any MetadataReader, known: [String: ServedTemplate], isSameHistory: Bool,
        prepared: [String: Content]
    ) throws -> [String: ServedTemplate] {
        let numbers = try reader.activeTemplateNumbers(namespace: TemplateNamespace.client.rawValue)
        return numbers.reduce(into: [:]) { templates, active in
            let (project, number) = active
            let (same, content) = (known[project], prepared[project])
            templates[project] =
                isSameHistory && same?.number == number
                ? same
                : ServedTemplate(
                    project: project, number: number, content: content?.number == number ? content : nil,
                    old: same?.latest)
        }
    }
}
