import HearthCatalog
import HearthConcurrency
import HearthHTTP
import HearthStorage
import HearthWire

/// Writes to the audit log which accounts and admin tokens tried a change without the right to it.
///
/// The number of entries per day is bounded: per caller, so that no caller fills the disk or the log; and per project,
/// so that entries about one project cannot crowd out those about others. Calls of unknown callers are not logged.
final class RefusalLog: Sendable {
    /// Limits per day. A day begins with the first refusal after the previous day.
    struct Bounds {
        var perActor = 100
        var perProject = 1000
        /// Projects that are counted separately; all others are counted together.
        var projects = 10_000
    }

    /// The refusals that were counted in the present day.
    private struct Day {
        var endMicroseconds = Int64.min
        var ofActor: [String: Int] = [:]
        var aboutProject: [String: Int] = [:]
    }

    /// A refusal that is within the limits and is logged.
    private struct Admission {
        var endMicroseconds: Int64
        var isLastOfActor: Bool
        var isLastAboutProject: Bool

        var until: String { WireTime.text(endMicroseconds) }
    }

    private static let dayMicroseconds: Int64 = 86_400_000_000

    private let metadata: any MetadataStore
    private let write: @Sendable (_ project: String, _ work: @escaping @Sendable () -> Void) -> Void
    private let bounds: Bounds
    private let day = Lock(Day())

    /// - Parameter write: runs `work` when the project's queue reaches it. The caller has its answer by then.
    init(
        _ metadata: any MetadataStore, bounds: Bounds = Bounds(),
        write: @escaping @Sendable (_ project: String, _ work: @escaping @Sendable () -> Void) -> Void
    ) {
        self.metadata = metadata
        self.write = write
        self.bounds = bounds
    }

    /// - Parameter projectID: the id of the project that a path names; nil if there is none.
    func add(_ head: RequestHead, _ refusal: APIError, nowMicroseconds now: Int64, projectID: (String) -> String?) {
        guard refusal.status == .permissionDenied, head.method != .get, head.method != .head,
            let actor = head.notes.actor?.description, Self.isAdmin(actor)
        else { return }
        let target = RefusedCall(head)
        let project = target.project.flatMap(projectID) ?? ""
        guard let admission = admit(actor, project, now) else { return }
        func entry(_ actor: String, _ subject: String, _ detail: String) -> AuditEntry {
            AuditEntry(
                projectID: project, actor: actor, action: "access.refuse", subject: subject, detail: detail,
                atMicroseconds: now)
        }
        var detail = target.detail(refusal.message)
        if admission.isLastOfActor {
            detail += " Further refusals of this caller are not logged until \(admission.until)."
        }
        var entries = [entry(actor, target.subject, detail)]
        if admission.isLastAboutProject {
            entries.append(
                entry(
                    "server", project.isEmpty ? "server" : "projects/\(project)",
                    "Further refusals of this project are not logged until \(admission.until)."))
        }
        write(project) { [metadata, entries] in
            // The caller was refused either way, and the access log has it too.
            try? metadata.write { store in
                for entry in entries { try store.append(entry) }
            }
        }
    }

    /// Nil when the caller or the project has reached its limit.
    private func admit(_ actor: String, _ project: String, _ now: Int64) -> Admission? {
        day.withLock { day in
            if now >= day.endMicroseconds { day = Day(endMicroseconds: now + Self.dayMicroseconds) }
            let isCounted = day.aboutProject[project] != nil || day.aboutProject.count < bounds.projects
            let project = isCounted ? project : ""
            let ofActor = day.ofActor[actor, default: 0] + 1
            let aboutProject = day.aboutProject[project, default: 0] + 1
            guard ofActor <= bounds.perActor, aboutProject <= bounds.perProject else { return nil }
            day.ofActor[actor] = ofActor
            day.aboutProject[project] = aboutProject
            return Admission(
                endMicroseconds: day.endMicroseconds, isLastOfActor: ofActor == bounds.perActor,
                isLastAboutProject: aboutProject == bounds.perProject)
        }
    }

    /// Only service accounts and admin tokens are logged. API keys and installations belong to devices.
    private static func isAdmin(_ actor: String) -> Bool { actor.hasPrefix("token:") || actor.contains("@") }
}

/// What a refused call was about, read from its path, which may contain any text.
struct RefusedCall {
    private let call: String
    private let model: String?
    /// As the path names it.
    let project: String?

    private static let longestPath = 200

    init(_ head: RequestHead) {
        call = "\(head.method) \(head.path.prefix(Self.longestPath))"
        let parts = head.path.split(separator: "/")
        func name(after word: Substring) -> Substring? {
            parts.firstIndex(of: word).flatMap { $0 + 1 < parts.count ? parts[$0 + 1] : nil }
        }
        project = name(after: "projects").map(String.init)
        // A method's name may follow: `models/1000001:rollback`.
        let id = name(after: "models").flatMap { $0.split(separator: ":").first }.map(String.init)
        model = id.flatMap { Names.modelID($0) }.map(String.init)
    }

    /// The model, so that a search for the model finds the refusal; otherwise the call.
    var subject: String { model.map { "models/\($0)" } ?? call }

    func detail(_ message: String) -> String { model == nil ? message : "\(call): \(message)" }
}
