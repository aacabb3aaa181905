internal import Dispatch
internal import Glibc

/// One request and its answer, as a state machine that libmicrohttpd's calls drive.
///
/// begin (head) -> receive (body bytes, any number) -> finish, again after a suspension -> end. All calls come on the
/// connection's thread, one at a time, so there are no locks.
final class Exchange {
    /// What libmicrohttpd does next: continue, or close the connection.
    enum Verdict { case proceed, close }

    /// How far the request and its answer have come.
    private enum Phase {
        case beginning
        case receiving(IncomingBody)
        /// The answer is decided; it is sent when the whole request has arrived.
        case answering(Response)
        case suspended(Suspension)
        /// The answer is a stream.
        case streaming(StreamedBody, HangupMonitor.Watch)
        case over
    }

    private let service: ServerContext
    private let connection: Connection
    private let target: [UInt8]
    private let targetAddress: UInt
    private unowned let slot: ConnectionState
    private let id: RequestID
    private let started = ContinuousClock.now
    private var method: HTTPMethod?
    private var phase = Phase.beginning
    private var status: Int?
    private var requestBytes: UInt64 = 0
    private var responseBytes: UInt64 = 0
    /// The bytes that the peer had confirmed before the answer. Nil for an answer from memory, which a socket usually
    /// takes at once: the system call would be costly for many small answers.
    private var confirmedBefore: UInt64?
    /// Whether the whole answer was sent without libmicrohttpd's knowledge.
    private var isSentPastLibrary = false
    private var lingeringSocket: Int32?
    private var isRunning = false
    /// The client's address; nil until it is known to differ from the peer's.
    private var client: String?
    /// The client's network, while this request counts as one of its requests in progress.
    private var countedNetwork: IPAddress?
    private var notes: RequestNotes?

    /// - Parameters:
    ///   - slot: the connection's state, which owns this object.
    ///   - target: the request target as sent, valid during the call.
    init(service: ServerContext, connection: Connection, slot: ConnectionState, target: UnsafePointer<CChar>) {
        self.service = service
        self.connection = connection
        self.slot = slot
        self.target = Array(UnsafeRawBufferPointer(start: target, count: strlen(target)))
        targetAddress = UInt(bitPattern: target)
        id = service.nextRequestID()
    }

    var isBeginning: Bool { if case .beginning = phase { true } else { false } }

    /// The head has arrived. The two texts, from its first line, are valid during the call.
    func begin(method methodText: UnsafePointer<CChar>, version versionText: UnsafePointer<CChar>) -> Verdict {
        // Not in `init`: a request that libmicrohttpd refuses itself may stop before this, and may never be ended.
        service.running.enter()
        isRunning = true
        slot.enter(.working)
        let method = HTTPMethod(rawValue: String(cString: methodText))
        self.method = method
        do throws(HTTPFault) {
            let arrival = try RequestArrival(
                connection: connection, remoteAddress: slot.remoteAddress, method: method,
                version: String(cString: versionText), target: target,
                firstLine: HeadLayout(
                    method: part(methodText), target: targetPart, version: part(versionText)),
                id: id, service: service)
            client = arrival.head.remoteAddress
            notes = arrival.head.notes
            if let network = arrival.head.forwarded?.clientNetwork { try count(network) }
            return follow(service.handler.plan(for: arrival.head), arrival)
        } catch {
            return refuseUnread(error.refusal(service.errors))
        }
    }

    /// libmicrohttpd refuses a head that has arrived, and is about to answer. 0.9.75 would send the head of its answer
    /// twice. So this sends the server's own answer directly, and closes the sending side before libmicrohttpd answers.
    func refuseBeforeHandler() {
        guard isBeginning, lingeringSocket == nil else { return }
        let nothing = HeadLayout.Part(start: 0, length: 0)
        let fault = RequestArrival.fault(
            of: connection, firstLine: HeadLayout(method: nothing, target: nothing, version: nothing),
            limits: service.limits)
        _ = refuseMidBody(service.errors(fault))
        connection.endSending()
    }

    private var targetPart: HeadLayout.Part { HeadLayout.Part(start: targetAddress, length: target.count) }

    private func part(_ text: UnsafePointer<CChar>) -> HeadLayout.Part {
        HeadLayout.Part(start: UInt(bitPattern: text), length: strlen(text))
    }

    /// Bytes of the body have arrived.
    func receive(_ bytes: UnsafeRawBufferPointer) -> Verdict {
        guard case .receiving(let body) = phase else { return .proceed }
        requestBytes += UInt64(bytes.count)
        // In this phase, a slow handler does not count as a slow peer.
        slot.enter(.working)
        do throws(RequestRefusal) {
            try body.receive(bytes, errors: service.errors)
            slot.enter(.receiving)
            return .proceed
        } catch {
            phase = .answering(error.response)
            return body.isComplete ? .proceed : refuseMidBody(error.response)
        }
    }

    /// The whole request has arrived, or its suspension has ended.
    func finish() -> Verdict {
        switch phase {
        case .receiving(let body):
            slot.enter(.working)
            return conclude(body.finish())
        case .answering(let response):
            return answer(response)
        case .suspended(let suspension):
            service.suspensions.remove(suspension)
            return answer(suspension.take() ?? service.errors(.internalError))
        case .beginning, .streaming, .over:
            return .close
        }
    }

    /// The answer was sent, or the connection is lost. No call follows this one.
    func end(isComplete: Bool) {
        let cause = isComplete ? nil : slot.endReason
        switch phase {
        case .receiving(let body):
            body.abandon()
            sendTimeoutResponse(cause)
        case .beginning: sendTimeoutResponse(cause)
        case .suspended(let suspension): service.suspensions.remove(suspension)
        case .streaming(let body, let watch): endStream(body, watch)
        case .answering, .over: break
        }
        phase = .over
        if let lingeringSocket { service.lingering.adopt(lingeringSocket) }
        stopCounting()
        let status = status ?? connection.status
        let isComplete = isComplete || isSentPastLibrary
        service.log(
            AccessLogEntry(
                method: method, remoteAddress: client ?? slot.remoteAddress, route: notes?.routeNumber ?? 0,
                status: status, responseBytes: isComplete ? responseBytes : deliveredBytes, requestBytes: requestBytes,
                duration: started.duration(to: .now), isComplete: isComplete && status != nil, endReason: cause,
                caller: notes?.actor, id: id, sentTarget: target))
        if cause != nil { slot.hasLoggedItsEnd = true }
        if isRunning { service.running.leave() }
    }

    private func follow(_ plan: RequestPlan, _ arrival: RequestArrival) -> Verdict {
        let receiver: any BodyReceiver
        switch plan {
        case .answer(let response):
            // If no body follows, the answer waits for the second call: an answer queued now would close the
            // connection.
            guard arrival.framing == .none else { return refuseUnread(response) }
            phase = .answering(response)
            return .proceed
        case .buffered(let limitBytes, let handle):
            receiver = BodyBuffer(head: arrival.head, limitBytes: limitBytes, handle: handle)
        case .streaming(let streaming):
            receiver = streaming
        }
        let body = IncomingBody(
            receiver, announced: arrival.framing.length, limitBytes: receiver.limitBytes ?? service.limits.bodyBytes)
        if let fault = body.refusalOfAnnouncement {
            body.abandon()
            return refuseUnread(service.errors(fault))
        }
        phase = .receiving(body)
        if arrival.framing != .none { slot.enter(.receiving) }
        return .proceed
    }

    /// Counts the request as one that its client has in progress, and refuses it if there are too many.
    private func count(_ network: IPAddress) throws(HTTPFault) {
        guard service.clients.enter(network, connections: service.openConnections.count) else {
            throw .tooManyOfClient
        }
        countedNetwork = network
        slot.client = network
    }

    private func stopCounting() {
        guard let countedNetwork else { return }
        service.clients.leave(countedNetwork)
        slot.client = nil
        self.countedNetwork = nil
    }

    /// Answers a request that the server ends before it has arrived.
    private func sendTimeoutResponse(_ cause: DisconnectReason?) {
        guard let fault = cause?.fault else { return }
        let response = fault.refusal(service.errors).sendable(errors: service.errors)
        guard connection.sendNow(ResponseBytes.encode(response, isHead: method == .head)) else { return }
        note(response)
        isSentPastLibrary = true
    }

    private func conclude(_ outcome: Outcome) -> Verdict {
        switch outcome {
        case .respond(let response):
            return answer(response)
        case .deferred(let start):
            let connection = connection
            let suspension = Suspension(errors: service.errors) { connection.resume() }
            phase = .suspended(suspension)
            connection.suspend()
            service.suspensions.add(suspension)
            start(DeferredResponse(suspension))
            return .proceed
        case .stream(let response, let start):
            return stream(response, start)
        }
    }

    private func stream(_ response: Response, _ start: (ResponseStream) -> Void) -> Verdict {
        guard !service.streams.isClosed else { return answer(service.errors(.stopping)) }
        // libmicrohttpd 0.9.75 sends a last chunk after the head even for HEAD requests, which is invalid.
        guard method != .head else { return answer(Response(status: response.status, headers: response.headers)) }
        let socket = connection.socket
        let body = StreamedBody(StreamedSocket(connection: connection, socket: socket))
        guard (200...599).contains(response.status), let encoded = EncodedResponse(completed(response), streaming: body)
        else {
            return answer(service.errors(.internalError))
        }
        connection.setUnconfirmedTimeout(afterSecondsUnconfirmed: service.limits.idleSeconds)
        phase = .streaming(body, service.peers.begin(socket, body))
        service.streams.add(body)
        guard connection.queue(encoded, status: response.status) else { return .close }
        slot.enter(.answering)
        note(response)
        // libmicrohttpd asks for no bytes before this thread returns.
        start(ResponseStream(body))
        return .proceed
    }

    private func endStream(_ body: StreamedBody, _ watch: HangupMonitor.Watch) {
        service.peers.end(watch)
        service.streams.remove(body)
        responseBytes = body.sentBytes
        body.finish()
    }

    private func answer(_ response: Response) -> Verdict {
        var response = completed(response.sendable(errors: service.errors))
        if service.isStopping { response.headers["Connection"] = "close" }
        phase = .over
        if !connection.queue(response) {
            // Sending a file needs a descriptor of its own.
            response = hasDescriptors ? Response(status: 500) : service.errors(.tooManyOpenFiles)
            guard connection.queue(response) else { return .close }
        }
        slot.enter(.answering)
        note(response)
        return .proceed
    }

    /// Answers before the body is read. libmicrohttpd then closes the connection.
    private func refuseUnread(_ response: Response) -> Verdict {
        lingeringSocket = duplicatedSocket()
        return answer(response)
    }

    /// Answers while the body arrives. libmicrohttpd takes no answer then, so this sends it directly and closes the
    /// connection.
    private func refuseMidBody(_ response: Response) -> Verdict {
        lingeringSocket = duplicatedSocket()
        let response = completed(response.sendable(errors: service.errors))
        phase = .over
        if connection.sendNow(ResponseBytes.encode(response, isHead: method == .head)) {
            note(response)
            isSentPastLibrary = true
        }
        return .close
    }

    private func completed(_ response: Response) -> Response { notes?.completed(response) ?? response }

    private func duplicatedSocket() -> Int32? {
        let socket = connection.duplicateSocket()
        return socket >= 0 ? socket : nil
    }

    private var hasDescriptors: Bool {
        guard let duplicate = duplicatedSocket() else { return false }
        close(duplicate)
        return true
    }

    private func note(_ response: Response) {
        status = response.status
        responseBytes = method == .head ? 0 : response.body.length
        switch (response.body, phase) {
        case (.file, _), (_, .streaming): confirmedBefore = connection.confirmedBytes
        default: break
        }
    }

    /// How many bytes of an interrupted answer the peer has, including the head and the framing of TLS.
    private var deliveredBytes: UInt64 {
        guard let confirmedBefore else { return 0 }
        let confirmed = connection.confirmedBytes
        return confirmed > confirmedBefore ? min(responseBytes, confirmed - confirmedBefore) : 0
    }
}
