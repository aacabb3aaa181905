import Dispatch
import Foundation
import HearthCalls
package import HearthCatalog
import HearthCompression
package import HearthHTTP
package import HearthIdentity
import HearthRemoteConfigTemplates
package import HearthServing
package import HearthStorage
import HearthWire
package import HearthWork

/// What all routes share: the services, and ways to make an answer from a function that throws.
package final class RouteContext: Sendable {
    package let services: Services
    /// Only calls in their lanes read and write here.
    let metadata: any MetadataStore
    package let log: @Sendable (String) -> Void
    package let serving: ServingState
    package let limiter: RateLimiters
    package let clockKeeper: ExpiryMonitor
    /// The changes of calls run here, never on the HTTP server's threads, because a write waits for the disk and
    /// for the writers before it. One at a time, because the database allows only one writer; in turn between projects,
    /// because a large template takes a while to write. No work here waits for the validation of a file.
    package let writing = FairScheduler(
        places: 1, scheduler: DispatchScheduler(label: "app.hearth.writing", isSerial: true))
    /// Large answers are encoded here, so that they do not delay the writers.
    let answering = ThreadScheduler(label: "app.hearth.answering")
    /// Slow work of admin calls and of devices' fetches.
    private let work: FairScheduler
    /// Slow work of the console's pages, which give way to devices when the processors are busy.
    private let consoleWork: FairScheduler
    /// Fetches model files from a store elsewhere: a few at a time, and those of different blobs in turn.
    let fetching: FairScheduler
    /// Looks up records in a database elsewhere, for calls that would otherwise do it on the HTTP server's threads.
    let lookUps = FairScheduler(places: 4, scheduler: ThreadScheduler(label: "app.hearth.look-ups"))
    /// The place of the one thread of the HTTP server that may wait for a database elsewhere.
    private let brieflyReading = DispatchSemaphore(value: 1)
    /// Compresses answers.
    package let coding = AnswerCoding()
    private let refusals: RefusalLog

    package init(services: Services, metadata: any MetadataStore, log: @escaping @Sendable (String) -> Void) {
        self.services = services
        self.metadata = metadata
        self.log = log
        let serving = ServingState(
            metadata, staleHours: services.limits.staleServingHours,
            monotonicMicroseconds: { [clock = services.clock] in clock.moment.monotonicMicroseconds }, log: log)
        self.serving = serving
        // One for each processor, and at least two.
        let places = max(2, ProcessInfo.processInfo.activeProcessorCount)
        work = FairScheduler(places: places, scheduler: ThreadScheduler(label: "app.hearth.work"))
        consoleWork = FairScheduler(
            places: places, scheduler: ThreadScheduler(label: "app.hearth.console-work", yieldsToOthers: true))
        fetching = FairScheduler(places: 4, scheduler: ThreadScheduler(label: "app.hearth.files"))
        limiter = RateLimiters(services.limits.rates)
        clockKeeper = ExpiryMonitor(metadata, services.clock)
        refusals = RefusalLog(metadata) { [writing] in writing.run(for: $0, .change, $1) }
    }

    /// Where the slow work of a call runs.
    func work(for head: RequestHead) -> FairScheduler { head.checkedCaller == nil ? work : consoleWork }

    /// A call without a body.
    package func answer(_ head: RequestHead, _ body: () throws -> Response) -> RequestPlan {
        .answer(respond(head, body))
    }

    /// A call with a small body, whose answer may be a stream. `check` runs before any of the body is read; `body` gets its result.
    package func buffered<Permission: Sendable>(
        _ head: RequestHead, check: () throws -> Permission,
        _ body: @escaping @Sendable (Permission, RequestHead, [UInt8]) throws -> Outcome
    ) -> RequestPlan {
        do {
            let permission = try check()
            return .buffered(limitBytes: services.limits.requestBodyBytes) { head, bytes in
                do {
                    let outcome = try body(permission, head, bytes)
                    guard case .respond(let response) = outcome else { return outcome }
                    return .respond(self.coding.coded(response, for: head))
                } catch {
                    return .respond(self.failure(head, error))
                }
            }
        } catch {
            return .answer(failure(head, error))
        }
    }

    package func respond(_ head: RequestHead, _ body: () throws -> Response) -> Response {
        do {
            return coding.coded(try body(), for: head)
        } catch {
            return failure(head, error)
        }
    }

    package func failure(_ head: RequestHead, _ error: any Error) -> Response {
        note(head, error)
        return APIError(error).response
    }

    /// Logs the cause of a failure if the answer hides it, and writes a refused change to the audit log.
    package func note(_ head: RequestHead, _ error: any Error) {
        let refusal = APIError(error)
        let storage = (error as? StorageError) ?? refusal.cause as? StorageError
        let isShortage = refusal.httpStatus == 507 || storage?.code == .tooManyOpen || storage?.code == .noSpace
        if refusal.status == .internal || isShortage {
            let cause = (error as? APIError)?.cause.map { " (\($0))" } ?? ""
            log("\(head.id) \(head.method) \(head.path): \(error)\(cause)")
        }
        refusals.add(head, refusal, nowMicroseconds: nowMicroseconds) { name in
            try? serving.forAdmins().project(named: name)?.project.id
        }
    }

    /// Reads records on a thread of the HTTP server: for calls that decide by them what becomes of their bodies. Of these
    /// threads only one at a time waits for a database elsewhere, so that the others answer devices while it is frozen.
    ///
    /// - Throws: 503 if another one waits for long.
    package func briefly<Result>(_ body: (any MetadataReader) throws -> Result) throws -> Result {
        guard metadata.contact != nil else { return try metadata.read(body) }
        guard brieflyReading.wait(timeout: .now() + Self.brieflyWait) == .success else {
            throw StorageError(.unavailable, "The database takes long")
        }
        defer { brieflyReading.signal() }
        return try metadata.read(body)
    }

    private static let brieflyWait: DispatchTimeInterval = .milliseconds(100)

    package func json(_ value: some Encodable, status: Int = 200) throws -> Response {
        .json(try WireJSON.encode(value), status: status)
    }

    package var nowMicroseconds: Int64 { services.now().microseconds }
    /// A key or token whose end is at or before this moment has ended.
    package var expiryMicroseconds: Int64 { services.clock.moment.expiryMicroseconds }
    /// Rate limiters count by this clock: when an operator sets the time of day, callers must not seem busier than they
    /// are.
    package var monotonicMicroseconds: Int64 { services.clock.moment.monotonicMicroseconds }
    /// The clock by which tokens and links are signed and expire.
    package var signingSeconds: Int64 { services.clock.moment.signingSeconds }
}

/// What the routes about projects, keys and tokens share.
extension RouteContext {
    /// An answer that contains secrets: no cache may store it.
    package func confidential(_ value: some Encodable) throws -> Response {
        var response = try json(value)
        response.headers["Cache-Control"] = "no-store"
        return response
    }

    /// - Parameter isForServer: whether it is the role of a token of the whole server.
    package func role(_ text: String, isForServer: Bool = false) throws(APIError) -> Role {
        guard let role = Role(rawValue: text), isForServer || role != .mirror else {
            throw APIError(
                .invalidArgument,
                "The role must be owner, publisher or viewer."
                    + (text == Role.mirror.rawValue
                        ? " Only a token of the whole server may have the role mirror." : ""))
        }
        return role
    }

}

extension RouteContext {
    /// Decompresses a gzip body. The bytes show whether it is one, because clients' headers are not reliable.
    package func inflated(_ bytes: [UInt8]) throws -> [UInt8] {
        guard bytes.starts(with: [0x1F, 0x8B]) else { return bytes }
        do {
            return try Inflate.gzip(bytes, limitBytes: services.limits.requestBodyBytes)
        } catch {
            throw APIError(
                .invalidArgument, "The body is not valid gzip, or is too large when decompressed.", cause: error)
        }
    }
}
