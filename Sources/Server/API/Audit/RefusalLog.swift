import HearthCatalog
import HearthHTTP
import HearthStorage
import HearthWire
import Synchronization

/// Writes down which changes were refused to whom: accounts and tokens that try what is not theirs to do.
///
/// Bounded, so that nobody fills the disk or the log with it: so many of one caller in a day, and so many about one
/// project, so that nobody blinds the log of others. Calls of nobody known are not written down.
final class RefusalLog: Sendable {
    /// In a day; a day begins with a first refusal.
    struct Bounds {
        var perActor = 100
        var perProject = 1000
        /// Projects that are counted one by one; all others count as one.
        var projects = 10_000
    }

    private struct Day {
        var endMicroseconds = Int64.min
        var ofActor: [String: Int] = [:]
        var aboutProject: [String: Int] = [:]
    }

    /// What is written down of a refusal.
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
    private let day = Mutex(Day())

    /// - Parameter write: runs what writes at the project's turn: the caller has its answer before.
    init(
        _ metadata: any MetadataStore, bounds: Bounds = Bounds(),
        write: @escaping @Sendable (_ project: String, _ work: @escaping @Sendable () -> Void) -> Void
    ) {
        self.metadata = metadata
        self.write = write
        self.bounds = bounds
    }

    /// - Parameter known: whether there is such a project.
    func add(_ head: RequestHead, _ refusal: APIError, nowMicroseconds now: Int64, known: (String) -> Bool) {
        guard refusal.status == .permissionDenied, head.method != .get, head.method != .head,
            let actor = head.notes.actor?.description, Self.isAdmin(actor)
        else { return }
        let target = RefusedCall(head)
        let project = target.projectID.flatMap { known($0) ? $0 : nil } ?? ""
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

    /// Nil when enough are written down.
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

    /// Devices are API keys and installations.
    private static func isAdmin(_ actor: String) -> Bool { actor.hasPrefix("token:") || actor.contains("@") }
}

/// What a refused call was about, read from its path: any text may stand there.
struct RefusedCall {
    private let call: String
    private let model: String?
    let projectID: String?

    private static let longestPath = 200

    init(_ head: RequestHead) {
        call = "\(head.method) \(head.path.prefix(Self.longestPath))"
        let parts = head.path.split(separator: "/")
        func name(after word: Substring) -> Substring? {
            parts.firstIndex(of: word).flatMap { $0 + 1 < parts.count ? parts[$0 + 1] : nil }
        }
        projectID = name(after: "projects").map(String.init)
        // A method's name may follow: `models/1000001:rollback`.
        let id = name(after: "models").flatMap { $0.split(separator: ":").first }.map(String.init)
        model = id.flatMap { Names.modelID($0) }.map(String.init)
    }

    /// The model, so that it is found with all else about it; otherwise the call.
    var subject: String { model.map { "models/\($0)" } ?? call }

    func detail(_ message: String) -> String { model == nil ? message : "\(call): \(message)" }
}
