import HearthCatalog
import HearthRemoteConfigTemplates
import HearthStorage
import HearthTargeting
import HearthWire
import Synchronization

/// A project's active template as devices are answered from it: read and compiled when its first device asks, or before by
/// whoever made it. Neither a start nor another project waits for it. Any thread.
final class ServedTemplate: Sendable {
    /// What devices are answered from.
    final class Content: Sendable {
        /// That of an older template where the present one cannot be read.
        let number: Int64
        /// Nil where no template of the project can be read.
        let compiled: CompiledTemplate?
        private let isExhaustionLogged = Atomic(false)

        init(number: Int64, compiled: CompiledTemplate?) {
            self.number = number
            self.compiled = compiled
        }

        /// True once.
        func claimExhaustionLog() -> Bool { !isExhaustionLogged.exchange(true, ordering: .relaxed) }
    }

    let number: Int64
    private let project: String
    private let made = AtomicLazyReference<Content>()
    /// Held while it is compiled: of many devices one thread does it.
    private let building = Mutex<Void>(())
    /// What it takes the place of, until it is compiled.
    private let old: Mutex<Content?>

    /// - Parameters:
    ///   - content: where it was compiled already.
    ///   - old: what it takes the place of.
    init(project: String, number: Int64, content: Content? = nil, old: Content? = nil) {
        self.project = project
        self.number = number
        self.old = Mutex(content == nil ? old : nil)
        if let content { _ = made.storeIfNil(content) }
    }

    /// Nil while it is not compiled.
    var content: Content? { made.load() }

    /// Compiles it where that is still to be done, which may take a while: not on the HTTP server's threads.
    ///
    /// - Throws: what the store throws. What cannot be read, because its row is damaged, leaves the one before in its place.
    func content(from metadata: any MetadataStore, log: @Sendable (String) -> Void) throws -> Content {
        if let known = made.load() { return known }
        return try building.withLock { _ in
            if let known = made.load() { return known }
            let content = made.storeIfNil(try read(metadata, old.withLock { $0 }, log))
            old.withLock { $0 = nil }
            return content
        }
    }

    /// What there is already to answer from: itself, or what it takes the place of.
    var latest: Content? { made.load() ?? old.withLock { $0 } }

    private func read(
        _ metadata: any MetadataStore, _ old: Content?, _ log: @Sendable (String) -> Void
    ) throws -> Content {
        let namespace = TemplateNamespace.client.rawValue
        let known = old?.compiled?.conditionsByText ?? [:]
        let version = try metadata.read { try $0.template(project: project, namespace: namespace, number: number) }
        do {
            guard let version else { throw StorageError(.corrupt, "It is not there") }
            let compiled = try CompiledTemplate(TemplatePresentation.body(version), known: known)
            if !compiled.refusedConditions.isEmpty {
                let names = compiled.refusedConditions.prefix(5).map { "'\($0)'" }.joined(separator: ", ")
                log(
                    """
                    project '\(project)': \(compiled.refusedConditions.count) conditions of its template \(number) need more than \
                    conditions may and hold for nobody: \(names); put the template anew with simpler ones
                    """)
            }
            return Content(number: number, compiled: compiled)
        } catch {
            log("project '\(project)': template \(number) cannot be read; devices get the previous one: \(error)")
            return old ?? Content(number: number, compiled: nil)
        }
    }

    /// By project. Those that were there before stay: a change of a release is no reason to read them again.
    static func all(
        _ reader: any MetadataReader, known: [String: ServedTemplate], prepared: [String: Content]
    ) throws -> [String: ServedTemplate] {
        let numbers = try reader.activeTemplateNumbers(namespace: TemplateNamespace.client.rawValue)
        return numbers.reduce(into: [:]) { templates, active in
            let (project, number) = active
            let (same, content) = (known[project], prepared[project])
            templates[project] =
                same?.number == number
                ? same
                : ServedTemplate(
                    project: project, number: number, content: content?.number == number ? content : nil,
                    old: same?.latest)
        }
    }
}
