import HearthCalls
import HearthCatalog
import HearthHTTP
import HearthIdentity
import HearthRouting
import HearthServing
import HearthStorage
import HearthValidation

/// `/hearth/v1/server`: the state of the server, for operators. Others who are signed in learn its version and where
/// devices reach it.
struct ServerRoutes {
    private let context: RouteContext
    private let services: ManagementServices

    /// How many devices wait for template updates now.
    private let streamCount: @Sendable () -> Int

    init(_ context: RouteContext, _ services: ManagementServices, streamCount: @escaping @Sendable () -> Int) {
        self.context = context
        self.services = services
        self.streamCount = streamCount
    }

    var routes: [CallRoute] {
        [
            context.on(ServerCalls.status) { try status($0) }
        ]
    }

    private func status(_ call: ServerReadCall) throws -> ServerBodies.Status {
        var status = services.serverStatus()
        status.deviceUrl = PublicAddress.deviceBase(call.head, context.services)
        guard call.principal.isOperator else { return status.forEveryone }
        let queue = services.validation.load
        status.validationQueue = queue.count
        status.runningProbes = queue.running
        status.validationGivenUp = services.validation.givenUpCount
        status.updateStreams = streamCount()
        status.consoleSessions = try call.read { try consoleSessions($0) }
        let problems = context.services.readinessProblems()
        status.problems = problems.isEmpty ? nil : problems
        status.notes = context.services.notes.isEmpty ? nil : context.services.notes
        return status
    }

    private func consoleSessions(_ store: any MetadataReader) throws -> Int {
        let now = context.expiryMicroseconds
        let admins = try context.serving.current().admins
        return try store.consoleSessions().count { session in
            context.services.console.isActive(session, nowMicroseconds: now)
                && (try? context.principal(.signedIn(session.credential), admins)) != nil
        }
    }
}
