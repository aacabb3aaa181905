import HearthConcurrency
import HearthCrypto
import HearthRouting
import HearthWire

/// A template that someone changed in the console and has not published yet.
struct TemplateDraft: Sendable {
    /// The version that was active when the first change was made, with its number.
    let base: RemoteConfigTemplate
    /// The tag of `base`, for `If-Match`.
    let etag: String
    /// Without a version.
    let template: RemoteConfigTemplate
    /// The number of its changes to `base`.
    let changeCount: Int
    /// Differs for each content. A form that publishes names it, so that nobody publishes what another tab changed.
    let digest: String
    fileprivate let byteCount: Int

    init(
        base: RemoteConfigTemplate, etag: String, template: RemoteConfigTemplate, changeCount: Int
    ) throws {
        let bytes = try WireJSON.encode(template)
        self.base = base
        self.etag = etag
        self.template = template
        self.changeCount = changeCount
        digest = String(SHA256Hasher.hash(Array(etag.utf8) + bytes).hex.prefix(32))
        byteCount = 2 * bytes.count
    }

    var baseVersion: Int64 { base.versionNumber }
}

/// How a draft is stored.
extension TemplateDraft {
    private struct Stored: Codable {
        var base: RemoteConfigTemplate
        var etag: String
        var template: RemoteConfigTemplate
        var changeCount: Int
    }

    fileprivate init(stored text: String) throws {
        let stored = try WireJSON.decode(Stored.self, from: Array(text.utf8))
        try self.init(
            base: stored.base, etag: stored.etag, template: stored.template, changeCount: stored.changeCount)
    }

    fileprivate func stored() throws -> String {
        let bytes = try WireJSON.encode(
            Stored(base: base, etag: etag, template: template, changeCount: changeCount))
        return String(decoding: bytes, as: UTF8.self)
    }
}

extension RemoteConfigTemplate {
    /// 0 before the first version.
    var versionNumber: Int64 { version?.versionNumber.flatMap { Int64($0) } ?? 0 }
}

/// The drafts of all sessions. Safe to call from any thread.
///
/// They are in the memory of a server that is alone, otherwise in the database, and not in the pages. So all pages have
/// addresses that work with links and with the back button, and a template with a megabyte of values does not travel with
/// each click. In return, a draft belongs to one session, and is lost when a server that is alone restarts or when newer
/// drafts need its place. Nothing that was published is ever lost, and a page that publishes says so when its draft is gone.
final class TemplateDrafts: Sendable {
    struct Key: Hashable {
        let session: String
        let project: String
        let namespace: String

        /// Unique in the session. Neither name contains a space.
        fileprivate var name: String { "\(namespace) \(project)" }
    }

    private struct State {
        var drafts: [Key: (draft: TemplateDraft, use: UInt64)] = [:]
        var uses: UInt64 = 0
    }

    /// Nil for a server that is alone.
    private let shared: ConsoleValues?
    private let limitBytes: Int
    private let limitPerSession: Int
    private let state = Lock(State())

    /// - Parameters:
    ///   - shared: where drafts are if several servers answer the sessions.
    ///   - limitBytes: of all drafts together; the one that was unused for the longest time makes room.
    ///   - limitPerSession: how many projects and namespaces a session may have drafts of.
    init(shared: ConsoleValues? = nil, limitBytes: Int = 64 << 20, limitPerSession: Int = 4) {
        self.shared = shared
        self.limitBytes = limitBytes
        self.limitPerSession = limitPerSession
    }

    func draft(_ key: Key) throws -> TemplateDraft? {
        if let shared {
            return try shared.draft(key.name, session: key.session).map { try TemplateDraft(stored: $0) }
        }
        return state.withLock { state in
            state.uses += 1
            state.drafts[key]?.use = state.uses
            return state.drafts[key]?.draft
        }
    }

    func keep(_ draft: TemplateDraft, for key: Key) throws {
        if let shared { return try shared.keepDraft(draft.stored(), key.name, session: key.session) }
        state.withLock { state in
            state.uses += 1
            state.drafts[key] = (draft, state.uses)
            let own = state.drafts.filter { $0.key.session == key.session }.sorted { $0.value.use < $1.value.use }
            for (old, _) in own.dropLast(limitPerSession) { state.drafts[old] = nil }
            while state.drafts.count > 1, state.drafts.values.reduce(0, { $0 + $1.draft.byteCount }) > limitBytes {
                let oldest = state.drafts.min { $0.value.use < $1.value.use }
                oldest.map { state.drafts[$0.key] = nil }
            }
        }
    }

    func remove(_ key: Key) throws {
        if let shared { return try shared.removeDraft(key.name, session: key.session) }
        state.withLock { $0.drafts[key] = nil }
    }
}
