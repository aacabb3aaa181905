import Dispatch
import Foundation
import HearthCatalog
import HearthCompression
import HearthHTTP
import HearthIdentity
import HearthRemoteConfigTemplates
import HearthStorage
import HearthValidation
import HearthWire

/// What every route shares: the services, and the ways from a throwing function to an answer.
final class RouteContext: Sendable {
    let services: Services
    let log: @Sendable (String) -> Void
    let serving: ServingState
    let limiter: RateLimiters
    let clockKeeper: ExpiryMonitor
    /// What writes to the database runs here, never on the HTTP server's threads: a write waits for the disk and for the
    /// writers before it. One after the other, because the database takes turns anyway; by project in turn, because a large
    /// template takes a while to write. Nothing waits here for the check of a file.
    let writing = FairScheduler(places: 1, scheduler: DispatchScheduler(label: "app.hearth.writing", isSerial: true))
    /// Where answers are put together that are too large to do so among the writers.
    let answering = ThreadScheduler(label: "app.hearth.answering")
    /// What takes long, of admins' calls and of devices' fetches.
    let work: FairScheduler
    /// The devices that wait for news of their configuration.
    let updates: TemplateUpdates
    private let refusals: RefusalLog

    init(services: Services, log: @escaping @Sendable (String) -> Void) {
        self.services = services
        self.log = log
        let serving = ServingState(services.metadata, log: log)
        self.serving = serving
        // One for each processor, and one that is left to others in any case.
        let places = max(2, ProcessInfo.processInfo.activeProcessorCount)
        work = FairScheduler(places: places, scheduler: ThreadScheduler(label: "app.hearth.work"))
        updates = TemplateUpdates(
            serving, limits: services.limits.updateStreams, scheduler: services.scheduler, now: services.now)
        limiter = RateLimiters(services.limits.rates)
        clockKeeper = ExpiryMonitor(services.metadata, services.clock)
        refusals = RefusalLog(services.metadata) { [writing] in writing.run(for: $0, .change, $1) }
    }

    /// A call without a body.
    func answer(_ head: RequestHead, _ body: () throws -> Response) -> RequestPlan {
        .answer(respond(head, body))
    }

    /// A call with a small body. `check` runs before any of it is read, and what it finds goes to `body`.
    func buffered<Permission: Sendable>(
        _ head: RequestHead, check: () throws -> Permission,
        _ body: @escaping @Sendable (Permission, RequestHead, [UInt8]) throws -> Response
    ) -> RequestPlan {
        bufferedOutcome(head, check: check) { .respond(try body($0, $1, $2)) }
    }

    /// The same, of one whose answer may go on.
    func bufferedOutcome<Permission: Sendable>(
        _ head: RequestHead, check: () throws -> Permission,
        _ body: @escaping @Sendable (Permission, RequestHead, [UInt8]) throws -> Outcome
    ) -> RequestPlan {
        do {
            let permission = try check()
            return .buffered(limitBytes: services.limits.requestBodyBytes) { head, bytes in
                do {
                    return try body(permission, head, bytes)
                } catch {
                    return .respond(self.failure(head, error))
                }
            }
        } catch {
            return .answer(failure(head, error))
        }
    }

    func respond(_ head: RequestHead, _ body: () throws -> Response) -> Response {
        do {
            return try body()
        } catch {
            return failure(head, error)
        }
    }

    func failure(_ head: RequestHead, _ error: any Error) -> Response {
        note(head, error)
        return APIError(error).response
    }

    /// The log has what the caller is not told, and the audit log who was refused a change.
    func note(_ head: RequestHead, _ error: any Error) {
        let refusal = APIError(error)
        let isShortage = refusal.httpStatus == 507 || (error as? StorageError)?.code == .tooManyOpen
        if refusal.status == .internal || isShortage {
            log("\(head.id) \(head.method) \(head.path): \(error)")
        }
        refusals.add(head, refusal, nowMicroseconds: nowMicroseconds) { project in
            (try? serving.current().projects[project]) != nil
        }
    }

    func json(_ value: some Encodable, status: Int = 200) throws -> Response {
        .json(try WireJSON.encode(value), status: status)
    }

    var nowMicroseconds: Int64 { services.now().microseconds }
    /// A key or token whose end is this or earlier has ended.
    var expiryMicroseconds: Int64 { services.clock.moment.expiryMicroseconds }
    /// Calls are counted by it: a clock that is set must not make busy callers of those that are not.
    var monotonicMicroseconds: Int64 { services.clock.moment.monotonicMicroseconds }
    /// Tokens and links are signed and expire by it.
    var signingSeconds: Int64 { services.clock.moment.signingSeconds }
}

/// What the routes about projects, keys and tokens share.
extension RouteContext {
    /// An answer with secrets in it: nobody on the way may keep it.
    func confidential(_ value: some Encodable) throws -> Response {
        var response = try json(value)
        response.headers["Cache-Control"] = "no-store"
        return response
    }

    func role(_ text: String) throws(APIError) -> Role {
        guard let role = Role(rawValue: text) else {
            throw APIError(.invalidArgument, "The role must be owner, publisher or viewer.")
        }
        return role
    }

    /// One change by `principal` with its entry in the audit log: both are written, or neither. `project` is nil for a
    /// change of the server as a whole.
    func change<Result>(
        by principal: Principal, in project: String?,
        _ body: (_ store: any MetadataWriter, _ log: AuditLog) throws -> Result
    ) throws -> Result {
        let now = nowMicroseconds
        return try services.metadata.write { store in
            try body(
                store, AuditLog(store: store, projectID: project ?? "", actor: principal.actor, atMicroseconds: now))
        }
    }
}

/// Where one change is written down, in its own transaction. What is written never holds a secret.
struct AuditLog {
    let store: any MetadataWriter
    let projectID: String
    let actor: String
    let atMicroseconds: Int64

    func add(_ action: String, _ subject: String, _ detail: String = "") throws {
        try store.append(
            AuditEntry(
                projectID: projectID, actor: actor, action: action, subject: subject, detail: detail,
                atMicroseconds: atMicroseconds))
    }
}

extension RouteContext {
    /// Tells the devices that wait that the project has a new template for them. Call it when that is committed; what
    /// nobody tells is found out within a minute.
    func notifyTemplateChanged(project: String, number: Int64) { updates.announce(number, project: project) }

    /// Whether a body is compressed is told by its bytes, because clients' headers are not reliable.
    func inflated(_ bytes: [UInt8]) throws -> [UInt8] {
        guard bytes.starts(with: [0x1F, 0x8B]) else { return bytes }
        do {
            return try Inflate.gzip(bytes, limitBytes: services.limits.requestBodyBytes)
        } catch {
            throw APIError(.invalidArgument, "The body is not valid gzip, or is too large when decompressed.")
        }
    }
}

/// Times in answers.
enum WireTime {
    /// Six fraction digits: the Python client parses nothing else.
    static func text(_ microseconds: Int64) -> String {
        Timestamp(microseconds: microseconds).rfc3339(fractionDigits: 6)
    }
}
