import HearthCalls
import HearthCatalog
import HearthDevicePlane
import HearthHTTP
import HearthRouting
import HearthStorage
import HearthWire

/// Answers devices at a follower, sends on what only the main server can do, and refuses all else.
struct FollowerHandler: RequestHandler {
    let devices: DevicePlane
    /// Answers what devices and monitoring ask.
    let handler: any RequestHandler
    let forwarder: DeviceForwarder
    let installations: InstallationExchange
    let metadata: any MetadataStore
    let status: MirrorStatus
    let bodyBytes: Int

    /// What a call is about. A project is what the path names: an id or a number.
    private enum Call {
        /// A batch of events, which only the main server counts.
        case events
        case tokenRenewal(project: String, fid: String)
        case deletion(project: String, fid: String)
        case readiness
        case monitoring
        case other
    }

    func plan(for head: RequestHead) -> RequestPlan {
        let call = Self.call(head)
        switch call {
        case .readiness: return readiness(head)
        case .monitoring: return handler.plan(for: head)
        case .events, .tokenRenewal, .deletion, .other: break
        }
        guard !status.isStale else {
            var response = HTTPFault.envelope(
                HTTPFault(
                    status: 503,
                    message: "The main server has not answered for too long; its releases may have changed."))
            response.headers["Retry-After"] = "\(Int.random(in: 300...600))"
            return .answer(response)
        }
        // A call that is sent on passes the checks of its route here too, which also note what its answer needs.
        let plan = handler.plan(for: head)
        switch call {
        case .events:
            return sentOn(plan) { forwarder.plan(for: head, limitBytes: max(bodyBytes, EventBodies.byteLimit)) }
        case .tokenRenewal(let project, let fid):
            // One that registered elsewhere a moment ago, or was deleted.
            return isKnown(fid, devices.projectID(named: project))
                ? plan : sentOn(plan, unchecked: head) { forwarder.plan(for: head, limitBytes: bodyBytes) }
        case .deletion(let project, let fid):
            return sentOn(plan, unchecked: head) { deletion(head, fid, devices.projectID(named: project)) }
        case .readiness, .monitoring, .other: break
        }
        // No route of devices has this path, or none with this method.
        guard head.notes.routeNumber == 0 else { return plan }
        return .answer(
            HTTPFault.envelope(
                HTTPFault(
                    status: 403,
                    message: """
                        This server is a copy of \(status.main) for devices, and answers no other calls. Make this call there.
                        """)))
    }

    private static let events = CallPattern(DeviceCalls.sendEvents)
    private static let renewal = CallPattern(DeviceCalls.renewToken)
    private static let deletion = CallPattern(DeviceCalls.deleteInstallation)
    private static let readiness = CallPattern(MonitoringCalls.ready)
    private static let liveness = CallPattern(MonitoringCalls.live)

    private static func call(_ head: RequestHead) -> Call {
        if events.values(in: head) != nil { return .events }
        if let path = renewal.values(in: head) { return .tokenRenewal(project: path["project"], fid: path["fid"]) }
        if let path = deletion.values(in: head) { return .deletion(project: path["project"], fid: path["fid"]) }
        if readiness.values(in: head) != nil { return .readiness }
        let isForMetrics = (head.method == .get || head.method == .head) && head.segments == [MetricsRoutes.pattern]
        return liveness.values(in: head) != nil || isForMetrics ? .monitoring : .other
    }

    /// - Parameters:
    ///   - plan: what this server would do with the call; an answer if it refuses the call before it reads the body.
    ///   - head: of a call whose token only the main server can check.
    ///   - send: how the main server gets the call.
    private func sentOn(_ plan: RequestPlan, unchecked head: RequestHead? = nil, _ send: () -> RequestPlan)
        -> RequestPlan
    {
        guard case .buffered = plan else { return plan }
        if let head, let refusal = devices.refusal(ofUncheckedCall: head) { return .answer(refusal) }
        return send()
    }

    private func readiness(_ head: RequestHead) -> RequestPlan {
        guard case .answer(var response) = handler.plan(for: head),
            case .bytes(let text) = response.body
        else { return handler.plan(for: head) }
        response.body = .bytes(text + Array("note: \(status.note)\n".utf8))
        return .answer(response)
    }

    /// - Parameter project: its id; nil if there is none of the name in the path.
    private func isKnown(_ fid: String, _ project: String?) -> Bool {
        guard let project else { return false }
        return (try? metadata.read { try $0.installation(fid: fid, project: project) }) != nil
    }

    private func deletion(_ head: RequestHead, _ fid: String, _ project: String?) -> RequestPlan {
        forwarder.plan(
            for: head, limitBytes: bodyBytes,
            // It may be unknown there until now.
            prepare: { [installations] in try installations.push() },
            then: { [installations, metadata] answer in
                guard (200...299).contains(answer), let project,
                    let known = try? metadata.read({ try $0.installation(fid: fid, project: project) })
                else { return }
                try? installations.forget(known)
            })
    }
}
