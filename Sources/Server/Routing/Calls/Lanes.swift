package import HearthCalls
package import HearthCatalog
package import HearthHTTP
package import HearthIdentity
package import HearthStorage
package import HearthWire

/// Whom a checked call of a person or a tool is for: one project, or the whole server.
package protocol LaneCaller: QueueKeyed {
    var principal: Principal { get }
    /// Nil for the whole server.
    var projectID: String? { get }

    /// - Throws: 401, 403 or 404 for a caller who may not make the call.
    static func check(
        _ call: CallDescription, _ head: RequestHead, _ path: RouteParameters, _ context: RouteContext
    ) throws -> Self
}

/// A checked call, as its lane hands it to the route.
///
/// The lane is in the type: only a call that has a place in a queue reads the database (`DatabaseCall`), and only one in the writers'
/// queue changes it (`Changing`).
package protocol LaneCall<Caller>: Sendable {
    associatedtype Caller: LaneCaller

    var context: RouteContext { get }
    var caller: Caller { get }
    var head: RequestHead { get }
    /// The values of the names in the call's path.
    var path: RouteParameters { get }
}

extension LaneCall {
    package var principal: Principal { caller.principal }
    /// The service account's email, or `token:{id}`.
    package var actor: String { principal.actor }
    package var query: QueryItems { head.query }
}

extension LaneCall where Caller == AdminCall {
    package var project: Project { caller.project }
}

/// A call whose thread may wait for the database.
package protocol DatabaseCall<Caller>: LaneCall {
    associatedtype Body: Sendable

    /// Those of the body.
    var bytes: [UInt8] { get }
}

extension DatabaseCall {
    package func read<Result>(_ body: (any MetadataReader) throws -> Result) throws -> Result {
        try context.metadata.read(body)
    }

    /// The body.
    ///
    /// - Parameters:
    ///   - what: what it is, for a refusal: `a request for an alias`.
    ///   - isOptional: whether it may be missing, and then stands for an empty object.
    package func body(_ what: String, isOptional: Bool = false) throws -> Body where Body: KeyedBody {
        try RequestJSON.decode(Body.self, bytes, what: what, isOptional: isOptional)
    }
}

/// A call that is answered from memory, on a thread of the HTTP server.
package struct NowCall<Caller: LaneCaller>: LaneCall {
    package let context: RouteContext
    package let caller: Caller
    package let head: RequestHead
    package let path: RouteParameters
}

/// A call that only reads: it looks a few records up, or has a place in the queue of its project.
package struct Reading<Caller: LaneCaller, Body: Sendable>: DatabaseCall {
    package let context: RouteContext
    package let caller: Caller
    package let head: RequestHead
    package let path: RouteParameters
    package let bytes: [UInt8]
}

/// A change before it writes: it reads and computes, in the queue of its project.
package struct Preparing<Caller: LaneCaller, Body: Sendable>: DatabaseCall {
    package let context: RouteContext
    package let caller: Caller
    package let head: RequestHead
    package let path: RouteParameters
    package let bytes: [UInt8]

    /// The answer that `write` makes in the writers' queue. It is encoded outside of that queue.
    package func afterWrite<Answer>(
        _ write: @escaping @Sendable (Changing<Caller, Body>) throws -> Answer
    ) -> PendingAnswer<Answer> {
        .afterWrite { try write(changing) }
    }

    /// The answer that `write` makes in the writers' queue after a wait.
    ///
    /// - Parameter wait: begins to wait for something, and calls `resume` once, on any thread, when the wait is over.
    package func later<Answer>(
        _ wait: @escaping @Sendable (_ resume: @escaping @Sendable () -> Void) -> Void,
        _ write: @escaping @Sendable (Changing<Caller, Body>) throws -> Answer
    ) -> PendingAnswer<Answer> {
        .later(wait, then: { try write(changing) })
    }

    private var changing: Changing<Caller, Body> {
        Changing(context: context, caller: caller, head: head, path: path, bytes: bytes)
    }
}

/// A call that writes, in the writers' queue.
package struct Changing<Caller: LaneCaller, Body: Sendable>: DatabaseCall {
    package let context: RouteContext
    package let caller: Caller
    package let head: RequestHead
    package let path: RouteParameters
    package let bytes: [UInt8]

    /// One change with its entry in the audit log: both are written, or neither.
    ///
    /// - Parameter project: whose audit log has the entry, if it is not that of the caller.
    package func change<Result>(
        inProject project: String? = nil, _ body: (_ store: any MetadataWriter, _ log: AuditLog) throws -> Result
    ) throws -> Result {
        try context.metadata.change(
            by: actor, in: project ?? caller.projectID, atMicroseconds: context.nowMicroseconds, body)
    }

    /// One change without an entry in the audit log.
    package func write<Result>(_ body: (any MetadataWriter) throws -> Result) throws -> Result {
        try context.metadata.write(body)
    }
}

package typealias ReadCall = Reading<AdminCall, NoBody>
package typealias PrepareCall<Body: Sendable> = Preparing<AdminCall, Body>
package typealias ChangeCall<Body: Sendable> = Changing<AdminCall, Body>
package typealias ServerReadCall = Reading<Principal, NoBody>
package typealias ServerPrepareCall<Body: Sendable> = Preparing<Principal, Body>
package typealias ServerChangeCall<Body: Sendable> = Changing<Principal, Body>

/// The answer to a change, or what must happen before there is one.
package enum PendingAnswer<Answer: Sendable>: Sendable {
    case ready(Answer)
    /// `write` runs in the writers' queue; its answer is encoded outside of that queue.
    case afterWrite(_ write: @Sendable () throws -> Answer)
    /// `wait` begins to wait for something, and calls `resume` once, on any thread, when the wait is over. `then` runs in the
    /// writers' queue and makes the answer.
    case later(
        _ wait: @Sendable (_ resume: @escaping @Sendable () -> Void) -> Void, then: @Sendable () throws -> Answer)

    /// The response that `body` makes of the answer.
    package func response(_ body: @escaping @Sendable (Answer) throws -> Response) throws -> PendingResponse {
        switch self {
        case .ready(let answer): .ready(try body(answer))
        case .afterWrite(let write):
            .afterWrite {
                let answer = try write()
                return { try body(answer) }
            }
        case .later(let wait, let then): .later(wait) { try body(then()) }
        }
    }
}

/// The routes of calls of people and tools, by lane. What a caller needs stands in the table of calls.
///
/// `on` answers JSON, `onResponse` what else there is to answer. Where a route takes a `checkPath`, that refuses values in the path
/// which the table of calls cannot exclude, before any of the body is read.
extension RouteContext {
    package typealias PathCheck = @Sendable (RouteParameters) throws -> Void

    /// From memory. No thread of the HTTP server waits for anything.
    package func on<Caller, Answer: Encodable>(
        _ call: Call<Lane.Now, NoBody, Answer>, _ answer: @escaping @Sendable (NowCall<Caller>) throws -> Answer
    ) -> CallRoute {
        CallRoute(call) { head, path in
            self.answer(head) {
                let caller = try Caller.check(call.description, head, path, self)
                return try self.json(answer(NowCall(context: self, caller: caller, head: head, path: path)))
            }
        }
    }

    /// A few records. No thread of the HTTP server waits for a database elsewhere.
    package func on<Caller, Answer: Encodable>(
        _ call: Call<Lane.LookUp, NoBody, Answer>,
        _ answer: @escaping @Sendable (Reading<Caller, NoBody>) throws -> Answer
    ) -> CallRoute {
        onResponse(call) { try self.json(answer($0)) }
    }

    package func onResponse<Caller, Answer>(
        _ call: Call<Lane.LookUp, NoBody, Answer>,
        _ answer: @escaping @Sendable (Reading<Caller, NoBody>) throws -> Response
    ) -> CallRoute {
        CallRoute(call) { head, path in
            self.lookUp(head) {
                let caller = try Caller.check(call.description, head, path, self)
                return try answer(Reading(context: self, caller: caller, head: head, path: path, bytes: []))
            }
        }
    }

    /// Much is read or computed, in the queue of the project.
    package func on<Caller, Body, Answer: Encodable>(
        _ call: Call<Lane.Read, Body, Answer>, limitBytes: Int? = nil, isSecret: Bool = false,
        checkPath: @escaping PathCheck = { _ in },
        _ answer: @escaping @Sendable (Reading<Caller, Body>) throws -> Answer
    ) -> CallRoute {
        onResponse(call, limitBytes: limitBytes, checkPath: checkPath) {
            try self.response(answer($0), isSecret: isSecret)
        }
    }

    package func onResponse<Caller, Body, Answer>(
        _ call: Call<Lane.Read, Body, Answer>, limitBytes: Int? = nil, checkPath: @escaping PathCheck = { _ in },
        _ answer: @escaping @Sendable (Reading<Caller, Body>) throws -> Response
    ) -> CallRoute {
        CallRoute(call) { head, path in
            self.queued(
                head, limitBytes: limitBytes, check: { try self.checked(call, head, path, checkPath) }
            ) { caller, head, bytes in
                try answer(Reading(context: self, caller: caller, head: head, path: path, bytes: bytes))
            }
        }
    }

    /// A change, in the writers' queue.
    ///
    /// - Parameter isSecret: whether no cache may store the answer.
    package func on<Caller, Body, Answer: Encodable>(
        _ call: Call<Lane.Change, Body, Answer>, isSecret: Bool = false,
        _ answer: @escaping @Sendable (Changing<Caller, Body>) throws -> Answer
    ) -> CallRoute {
        onResponse(call) { try self.response(answer($0), isSecret: isSecret) }
    }

    package func onResponse<Caller, Body, Answer>(
        _ call: Call<Lane.Change, Body, Answer>, checkPath: @escaping PathCheck = { _ in },
        _ answer: @escaping @Sendable (Changing<Caller, Body>) throws -> Response
    ) -> CallRoute {
        CallRoute(call) { head, path in
            self.queuedWrite(head, check: { try self.checked(call, head, path, checkPath) }) {
                caller, head, bytes in
                try answer(Changing(context: self, caller: caller, head: head, path: path, bytes: bytes))
            }
        }
    }

    /// A change, in the writers' queue, whose answer may have to wait for something. No thread waits.
    package func onPending<Caller, Body, Answer: Encodable>(
        _ call: Call<Lane.Change, Body, Answer>,
        _ answer: @escaping @Sendable (Changing<Caller, Body>) throws -> PendingAnswer<Answer>
    ) -> CallRoute {
        CallRoute(call) { head, path in
            self.queuedPendingWrite(head, check: { try Caller.check(call.description, head, path, self) }) {
                caller, head, bytes in
                try answer(Changing(context: self, caller: caller, head: head, path: path, bytes: bytes))
                    .response { try self.json($0) }
            }
        }
    }

    /// A change that first reads or computes much, in the queue of the project.
    ///
    /// - Parameters:
    ///   - limitBytes: of the body; nil for the usual limit.
    ///   - isSecret: whether no cache may store the answer.
    ///   - prepare: usually returns `Preparing.afterWrite`.
    package func onPrepared<Caller, Body, Answer: Encodable>(
        _ call: Call<Lane.Change, Body, Answer>, limitBytes: Int? = nil, isSecret: Bool = false,
        checkPath: @escaping PathCheck = { _ in },
        _ prepare: @escaping @Sendable (Preparing<Caller, Body>) throws -> PendingAnswer<Answer>
    ) -> CallRoute {
        onPreparedResponse(call, limitBytes: limitBytes, checkPath: checkPath) { call in
            try prepare(call).response { try self.response($0, isSecret: isSecret) }
        }
    }

    package func onPreparedResponse<Caller, Body, Answer>(
        _ call: Call<Lane.Change, Body, Answer>, limitBytes: Int? = nil, checkPath: @escaping PathCheck = { _ in },
        _ prepare: @escaping @Sendable (Preparing<Caller, Body>) throws -> PendingResponse
    ) -> CallRoute {
        CallRoute(call) { head, path in
            self.queuedChange(
                head, limitBytes: limitBytes, check: { try self.checked(call, head, path, checkPath) }
            ) { caller, head, bytes in
                try prepare(Preparing(context: self, caller: caller, head: head, path: path, bytes: bytes))
            }
        }
    }

    private func checked<Caller: LaneCaller>(
        _ call: some DescribedCall, _ head: RequestHead, _ path: RouteParameters, _ checkPath: PathCheck
    ) throws -> Caller {
        let caller = try Caller.check(call.description, head, path, self)
        try checkPath(path)
        return caller
    }

    private func response(_ answer: some Encodable, isSecret: Bool) throws -> Response {
        try isSecret ? confidential(answer) : json(answer)
    }
}

extension AdminCall: LaneCaller {
    package var projectID: String? { project.id }

    package static func check(
        _ call: CallDescription, _ head: RequestHead, _ path: RouteParameters, _ context: RouteContext
    ) throws -> AdminCall {
        let role: Role =
            switch call.access {
            case .viewer: .viewer
            case .publisher: .publisher
            case .owner: .owner
            case .anyone, .apiKey, .device, .signedIn, .serverOperator, .mirror:
                preconditionFailure("\(call.path) is no call for a project")
            }
        return try context.adminCall(head, project: path["project"], atLeast: role)
    }
}

extension Principal: LaneCaller {
    package var principal: Principal { self }

    package static func check(
        _ call: CallDescription, _ head: RequestHead, _ path: RouteParameters, _ context: RouteContext
    ) throws -> Principal {
        switch call.access {
        case .signedIn: try context.authenticated(head)
        case .serverOperator: try context.operatorCall(head)
        case .mirror: try context.mirrorCall(head)
        case .anyone, .apiKey, .device, .viewer, .publisher, .owner:
            preconditionFailure("\(call.path) is no call for the whole server")
        }
    }
}
