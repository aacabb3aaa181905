import HearthCatalog
import HearthCompression
import HearthCrypto
import HearthHTTP
import HearthIdentity
import HearthWire

/// Installation identities (`firebaseinstallations` v1): create one, renew its token.
struct InstallationRoutes {
    private let context: RouteContext

    init(_ context: RouteContext) { self.context = context }

    private static let collection = "v1/projects/{project}/installations"

    var routes: [Route] {
        [
            Route(.post, Self.collection) { head, path in
                context.buffered(head, check: { try context.keyed(head, project: path["project"]) }) {
                    project, _, bytes in
                    try create(project.project.number, body(bytes))
                }
            },
            Route(.post, Self.collection + "/{fid}/authTokens:generate") { head, path in
                context.buffered(head, check: { try context.keyed(head, project: path["project"]) }) {
                    project, head, _ in
                    try generate(project.project.number, fid: path["fid"], head)
                }
            },
        ]
    }

    private func create(_ projectNumber: Int64, _ body: InstallationBodies.CreateRequest) throws -> Response {
        guard let appID = body.appId, (1...256).contains(appID.utf8.count) else {
            throw APIError(.invalidArgument, "The field appId is missing.")
        }
        var fid = body.fid ?? ""
        if !InstallationID.isValid(fid) {
            fid = InstallationID.text(random: SecureRandom.bytes(InstallationID.randomByteCount))
        }
        let tokens = context.services.installationTokens
        return try context.json(
            InstallationBodies.CreateResponse(
                name: "projects/\(projectNumber)/installations/\(fid)", fid: fid,
                refreshToken: tokens.refreshToken(fid: fid, appID: appID, projectNumber: projectNumber),
                authToken: try authToken(fid, appID, projectNumber)))
    }

    /// An unknown installation gets 401, upon which clients register anew by themselves.
    private func generate(_ projectNumber: Int64, fid: String, _ head: RequestHead) throws -> Response {
        let refreshToken = head.headers["Authorization"].flatMap { RouteContext.credentials($0, scheme: "FIS_v2") }
        guard let refreshToken,
            let appID = context.services.installationTokens.verifyRefreshToken(
                refreshToken, fid: fid, projectNumber: projectNumber)
        else { throw APIError(.unauthenticated, "The installation is not known here; register it again.") }
        return try context.json(try authToken(fid, appID, projectNumber))
    }

    private func authToken(
        _ fid: String, _ appID: String, _ projectNumber: Int64
    ) throws -> InstallationBodies.AuthToken {
        .init(
            token: try context.services.installationTokens.issue(
                fid: fid, appID: appID, projectNumber: projectNumber, nowSeconds: context.nowSeconds),
            expiresInSeconds: InstallationTokens.lifetimeSeconds)
    }

    /// Android compresses request bodies; whether it did is told by the bytes, because the header is not reliable.
    private func body(_ bytes: [UInt8]) throws -> InstallationBodies.CreateRequest {
        var bytes = bytes
        do {
            if bytes.starts(with: [0x1F, 0x8B]) {
                bytes = try Inflate.gzip(bytes, limitBytes: context.services.limits.requestBodyBytes)
            }
            return try WireJSON.decodeRequest(InstallationBodies.CreateRequest.self, from: bytes)
        } catch {
            throw APIError(.invalidArgument, "The body is not JSON of an installation.")
        }
    }
}
