import HearthConcurrency
import HearthCrypto
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

extension RemoteConfigTemplate {
    /// 0 before the first version.
    var versionNumber: Int64 { version?.versionNumber.flatMap { Int64($0) } ?? 0 }
}

/// The drafts of all sessions. Safe to call from any thread.
///
/// They are in the server's memory and not in the pages. So all pages have addresses that work with links and with the
/// back button, and a template with a megabyte of values does not travel with each click. In return, a draft belongs to one
/// session on one server, and is lost when the server restarts or when newer drafts need its place. Nothing that was
/// published is ever lost, and a page that publishes says so when its draft is gone.
final class TemplateDrafts: Sendable {
    struct Key: Hashable {
        let session: String
        let project: String
        let namespace: String
    }

    private struct State {
        var drafts: [Key: (draft: TemplateDraft, use: UInt64)] = [:]
        var uses: UInt64 = 0
    }

    private let limitBytes: Int
    private let limitPerSession: Int
    private let state = Lock(State())

    /// - Parameters:
    ///   - limitBytes: of all drafts together; the one that was unused for the longest time makes room.
    ///   - limitPerSession: how many projects and namespaces a session may have drafts of.
    init(limitBytes: Int = 64 << 20, limitPerSession: Int = 4) {
        self.limitBytes = limitBytes
        self.limitPerSession = limitPerSession
    }

    subscript(key: Key) -> TemplateDraft? {
        state.withLock { state in
            state.uses += 1
            state.drafts[key]?.use = state.uses
            return state.drafts[key]?.draft
        }
    }

    func keep(_ draft: TemplateDraft, for key: Key) {
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

    func remove(_ key: Key) { state.withLock { $0.drafts[key] = nil } }
}
