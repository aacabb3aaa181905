import Dispatch
import HearthCalls
import HearthCatalog
import HearthCompression
import HearthConcurrency
import HearthCrypto
import HearthHTTP
import HearthIdentity
import HearthRouting
import HearthServing
import HearthStorage
import HearthWire

/// Installation identities (`firebaseinstallations` v1): create one, renew its token, delete it.
struct InstallationRoutes {
    private let context: RouteContext
    private let registrar: InstallationRegistrar

    init(_ context: RouteContext, _ registrar: InstallationRegistrar) {
        self.context = context
        self.registrar = registrar
    }

    var routes: [CallRoute] {
        [
            CallRoute(DeviceCalls.register) { head, path in
                do {
                    try context.countUnauthenticated(head)
                    return creation(try context.apiKeyCall(head, project: path["project"]))
                } catch {
                    return .answer(context.failure(head, error))
                }
            },
            CallRoute(DeviceCalls.renewToken) { head, path in
                do {
                    let project = try context.apiKeyCall(head, project: path["project"]).part.project
                    return context.afterBody { head in
                        context.lookedUp(head) { try generate(project, fid: path["fid"], head) }
                    }
                } catch {
                    return .answer(context.failure(head, error))
                }
            },
            CallRoute(DeviceCalls.deleteInstallation) { head, path in
                do {
                    let project = try context.apiKeyCall(head, project: path["project"]).part.project
                    return context.afterBody { head in
                        context.lookedUp(
                            head,
                            then: { installation in
                                try registrar.delete(installation)
                                return .emptyObject
                            }
                        ) { try known(project, fid: path["fid"], head) }
                    }
                } catch {
                    return .answer(context.failure(head, error))
                }
            },
        ]
    }

    private func creation(_ call: KeyedCall) -> RequestPlan {
        .buffered(limitBytes: context.services.limits.requestBodyBytes) { head, bytes in
            do {
                let wanted = try installation(call, body(bytes))
                return .deferred { reply in
                    registrar.register(wanted) { written in
                        reply.resolve(with: context.respond(head) { try created(written.get(), call.part.project) })
                    }
                }
            } catch {
                return .respond(context.failure(head, error))
            }
        }
    }

    private func installation(
        _ call: KeyedCall, _ body: InstallationBodies.CreateRequest
    ) throws(APIError) -> Installation {
        guard let appID = body.appId, (1...256).contains(appID.utf8.count) else {
            throw APIError(.invalidArgument, "The field appId is missing.")
        }
        guard call.key.appID.isEmpty || call.key.appID == appID else {
            throw APIError(.invalidArgument, "The field appId does not name the app of this API key.")
        }
        let fid = body.fid.flatMap { InstallationID.isValid($0) ? $0 : nil } ?? InstallationRegistrar.newID()
        return Installation(
            projectID: call.part.project.id, fid: fid, appID: appID, createdMicroseconds: context.nowMicroseconds)
    }

    private func created(_ installation: Installation, _ project: Project) throws -> Response {
        try context.confidential(
            InstallationBodies.CreateResponse(
                name: "projects/\(project.number)/installations/\(installation.fid)", fid: installation.fid,
                refreshToken: context.services.installationTokens.refreshToken(of: installation),
                authToken: try authToken(installation, project)))
    }

    private func generate(_ project: Project, fid: String, _ head: RequestHead) throws -> Response {
        let installation = try known(project, fid: fid, head, orSigned: true)
        try context.limiter.installation.admit(fid, of: project.number, nowMicroseconds: context.monotonicMicroseconds)
        return try context.confidential(try authToken(installation, project))
    }

    /// The installation, if the caller's refresh token is right. Otherwise 401, after which clients register again by
    /// themselves.
    ///
    /// - Parameter orSigned: whether the token's signature is enough while the database is away. The installation may have
    ///   been deleted meanwhile, as keys may have been revoked: devices are served without knowing that for a limited time.
    private func known(
        _ project: Project, fid: String, _ head: RequestHead, orSigned: Bool = false
    ) throws -> Installation {
        let tokens = context.services.installationTokens
        let token = head.headers["Authorization"].flatMap { RouteContext.credentials($0, scheme: "FIS_v2") }
        let installation: Installation?
        do {
            installation = try registrar.installation(fid: fid, project: project.id)
        } catch let error as StorageError where error.code == .unavailable {
            guard orSigned, let token,
                let signed = tokens.installation(ofRefreshToken: token, fid: fid, project: project.id)
            else { throw error }
            return signed
        }
        guard let installation, let token, tokens.verifyRefreshToken(token, of: installation) else {
            throw context.unauthenticated(
                head, APIError(.unauthenticated, "This server does not know the installation; register it again."))
        }
        return installation
    }

    private func authToken(
        _ installation: Installation, _ project: Project
    ) throws -> InstallationBodies.AuthToken {
        .init(
            token: try context.services.installationTokens.issue(
                fid: installation.fid, appID: installation.appID, projectNumber: project.number,
                nowSeconds: context.signingSeconds),
            expiresInSeconds: InstallationTokens.lifetimeSeconds)
    }

    /// Android compresses request bodies. The bytes decide whether a body is compressed, because the header is not
    /// reliable.
    private func body(_ bytes: [UInt8]) throws(APIError) -> InstallationBodies.CreateRequest {
        var bytes = bytes
        do {
            if bytes.starts(with: [0x1F, 0x8B]) {
                bytes = try Inflate.gzip(bytes, limitBytes: context.services.limits.requestBodyBytes)
            }
            return try WireJSON.decodeRequest(InstallationBodies.CreateRequest.self, from: bytes)
        } catch {
            throw APIError(.invalidArgument, "The body is not JSON of an installation.", cause: error)
        }
    }
}
