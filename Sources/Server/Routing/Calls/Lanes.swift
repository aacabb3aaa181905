package import HearthCalls
package import HearthCatalog
package import HearthHTTP
package import HearthIdentity
package import HearthStorage
package import HearthWire

/// A checked call of a person or a tool for a project, as its lane hands it to the route.
///
/// The lane is in the type: what a route can do with a call is what its thread may do. Who has no call that reads cannot wait
/// for the database.
package protocol ProjectCall: Sendable {
    var admin: AdminCall { get }
    var head: RequestHead { get }
    /// The values of the names in the call's path.
    var path: RouteParameters { get }
}

extension ProjectCall {
    package var project: Project { admin.project }
    package var principal: Principal { admin.principal }
    /// The service account's email, or `token:{id}`.
    package var actor: String { admin.actor }
    package var query: QueryItems { head.query }
}

/// A call whose thread may wait for the database.
package protocol ReadingCall: ProjectCall {
    var context: RouteContext { get }
}

extension ReadingCall {
    package func read<Result>(_ body: (any MetadataReader) throws -> Result) throws -> Result {
        try context.services.metadata.read(body)
    }
}

/// A call that only reads: it looks a few records up, or has a place in the queue of its project.
package struct ReadCall: ReadingCall {
    package let context: RouteContext
    package let admin: AdminCall
    package let head: RequestHead
    package let path: RouteParameters
    fileprivate let bytes: [UInt8]
}

/// A call that writes, in the writers' queue or before it.
package struct ChangeCall<Body: Sendable>: ReadingCall {
    package let context: RouteContext
    package let admin: AdminCall
    package let head: RequestHead
    package let path: RouteParameters
    package let bytes: [UInt8]

    /// One change with its entry in the audit log: both are written, or neither.
    package func change<Result>(
        _ body: (_ store: any MetadataWriter, _ log: AuditLog) throws -> Result
    ) throws -> Result {
        try context.change(by: principal, in: project.id, body)
    }
}

extension ChangeCall {
    /// The body.
    ///
    /// - Parameters:
    ///   - what: what it is, for a refusal: `a request for an alias`.
    ///   - isOptional: whether it may be missing, and then stands for an empty object.
    package func body(_ what: String, isOptional: Bool = false) throws -> Body where Body: KeyedBody {
        try RequestJSON.decode(Body.self, bytes, what: what, isOptional: isOptional)
    }
}

/// The answer to a change, or what must happen before there is one.
package enum PendingAnswer<Answer: Encodable & Sendable>: Sendable {
    case ready(Answer)
    /// `write` runs in the writers' queue; its answer is encoded outside of that queue.
    case afterWrite(_ write: @Sendable () throws -> Answer)
    /// `wait` begins to wait for something, and calls `resume` once, on any thread, when the wait is over. `then` runs in the
    /// writers' queue and makes the answer.
    case later(
        _ wait: @Sendable (_ resume: @escaping @Sendable () -> Void) -> Void, then: @Sendable () throws -> Answer)
}

/// The routes of calls for a project, by lane. What a caller needs stands in the table of calls.
extension RouteContext {
    /// A few records. No thread of the HTTP server waits for a database elsewhere.
    package func on<Answer: Encodable>(
        _ call: Call<Lane.LookUp, NoBody, Answer>, _ answer: @escaping @Sendable (ReadCall) throws -> Answer
    ) -> CallRoute {
        onResponse(call) { try self.json(answer($0)) }
    }

    /// The same for an answer that is more than JSON.
    package func onResponse<Answer>(
        _ call: Call<Lane.LookUp, NoBody, Answer>, _ answer: @escaping @Sendable (ReadCall) throws -> Response
    ) -> CallRoute {
        CallRoute(call) { head, path in
            self.lookUp(head) {
                let admin = try self.admin(call, head, path)
                return try answer(ReadCall(context: self, admin: admin, head: head, path: path, bytes: []))
            }
        }
    }

    /// Much is read or computed, in the queue of the project.
    package func on<Answer: Encodable>(
        _ call: Call<Lane.Read, NoBody, Answer>, _ answer: @escaping @Sendable (ReadCall) throws -> Answer
    ) -> CallRoute {
        onResponse(call) { try self.json(answer($0)) }
    }

    /// The same for an answer that is more than JSON.
    package func onResponse<Answer>(
        _ call: Call<Lane.Read, NoBody, Answer>, _ answer: @escaping @Sendable (ReadCall) throws -> Response
    ) -> CallRoute {
        CallRoute(call) { head, path in
            self.queued(head, check: { try self.admin(call, head, path) }) { admin, head, bytes in
                try answer(ReadCall(context: self, admin: admin, head: head, path: path, bytes: bytes))
            }
        }
    }

    /// A change, in the writers' queue.
    package func on<Body, Answer: Encodable>(
        _ call: Call<Lane.Change, Body, Answer>, _ answer: @escaping @Sendable (ChangeCall<Body>) throws -> Answer
    ) -> CallRoute {
        onPending(call) { .ready(try answer($0)) }
    }

    /// The same for an answer that is more than JSON.
    package func onResponse<Body, Answer>(
        _ call: Call<Lane.Change, Body, Answer>, _ answer: @escaping @Sendable (ChangeCall<Body>) throws -> Response
    ) -> CallRoute {
        CallRoute(call) { head, path in
            self.queuedWrite(head, check: { try self.admin(call, head, path) }) { admin, head, bytes in
                try answer(ChangeCall(context: self, admin: admin, head: head, path: path, bytes: bytes))
            }
        }
    }

    /// A change, in the writers' queue, whose answer may have to wait for something. No thread waits.
    package func onPending<Body, Answer: Encodable>(
        _ call: Call<Lane.Change, Body, Answer>,
        _ answer: @escaping @Sendable (ChangeCall<Body>) throws -> PendingAnswer<Answer>
    ) -> CallRoute {
        CallRoute(call) { head, path in
            self.queuedWriteAwaitingCheck(head, check: { try self.admin(call, head, path) }) { admin, head, bytes in
                let call = ChangeCall<Body>(context: self, admin: admin, head: head, path: path, bytes: bytes)
                return try self.response(answer(call))
            }
        }
    }

    /// A change that first reads or computes much, in the queue of the project.
    ///
    /// - Parameters:
    ///   - limitBytes: of the body; nil for the usual limit.
    ///   - prepare: usually returns `PendingAnswer.afterWrite`.
    package func onPrepared<Body, Answer: Encodable>(
        _ call: Call<Lane.Change, Body, Answer>, limitBytes: Int? = nil,
        _ prepare: @escaping @Sendable (ChangeCall<Body>) throws -> PendingAnswer<Answer>
    ) -> CallRoute {
        CallRoute(call) { head, path in
            self.queuedChange(head, limitBytes: limitBytes, check: { try self.admin(call, head, path) }) {
                admin, head, bytes in
                let call = ChangeCall<Body>(context: self, admin: admin, head: head, path: path, bytes: bytes)
                return try self.response(prepare(call))
            }
        }
    }

    private func response<Answer>(_ answer: PendingAnswer<Answer>) throws -> PendingResponse {
        switch answer {
        case .ready(let answer): .ready(try json(answer))
        case .afterWrite(let write):
            .afterWrite {
                let answer = try write()
                return { try self.json(answer) }
            }
        case .later(let wait, let then): .later(wait) { try self.json(then()) }
        }
    }

    /// Who makes the call, which must be one for a project.
    private func admin(_ call: some DescribedCall, _ head: RequestHead, _ path: RouteParameters) throws -> AdminCall {
        let role: Role =
            switch call.description.access {
            case .viewer: .viewer
            case .publisher: .publisher
            case .owner: .owner
            case .anyone, .apiKey, .device, .signedIn, .serverOperator, .mirror:
                preconditionFailure("\(call.path) is no call for a project")
            }
        return try adminCall(head, project: path["project"], atLeast: role)
    }
}
