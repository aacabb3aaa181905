import HearthCalls
import HearthCatalog
import HearthHTTP
import HearthIdentity
import HearthRemoteConfigTemplates
import HearthRouting
import HearthServing
import HearthWire

/// Devices wait for template updates here: `POST …/namespaces/firebase:streamFetchInvalidations`. The answer continues
/// until the device disconnects.
struct ConfigUpdateRoutes {
    private let context: RouteContext
    private let updates: TemplateUpdates

    private static let retryAfterSeconds = 60

    init(_ context: RouteContext, _ updates: TemplateUpdates) {
        self.context = context
        self.updates = updates
    }

    var routes: [CallRoute] {
        [
            CallRoute(DeviceCalls.listenForConfig) { head, path in
                context.buffered(
                    head, check: { try context.apiKeyCall(head, project: path["project"]) }
                ) { call, head, bytes in
                    guard path["namespace"] == TemplateNamespace.client.rawValue else { throw APIError.notFound }
                    return try listen(call, head, bytes)
                }
            }
        ]
    }

    private func listen(_ keyed: KeyedCall, _ head: RequestHead, _ bytes: [UInt8]) throws -> Outcome {
        guard let body = UpdatesBody(try context.inflated(bytes)) else {
            throw APIError(.invalidArgument, "The body is not a request for Remote Config updates.")
        }
        let token = head.headers[WireHeader.installationToken] ?? body.installationToken
        let call = try context.deviceCall(head, keyed, token: token)
        let device = DeviceStream.Device(projectID: call.part.project.id, fid: call.installation.fid)
        let caller = StreamAdmission.Caller(
            projectID: device.projectID, keyID: keyed.key.id, network: ClientNetwork.name(of: head.remoteAddress))
        guard updates.canAdmit(for: device, caller) else {
            var error = APIError(.unavailable, "Too many devices are waiting for updates; try again later.")
            error.retryAfterSeconds = Self.retryAfterSeconds
            throw error
        }
        let response = Response(
            status: 200,
            headers: [
                "Content-Type": "application/json; charset=utf-8", "Cache-Control": "no-store",
                // Otherwise nginx buffers messages until it has enough of them.
                "X-Accel-Buffering": "no",
            ])
        return .stream(response) { stream in
            updates.add(stream, of: device, caller, lastKnownVersion: body.lastKnownVersion)
        }
    }
}
