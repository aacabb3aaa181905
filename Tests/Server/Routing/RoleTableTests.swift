import HearthCalls
import HearthCatalog
import HearthIdentity
import HearthStorage
import HearthWire
import Testing

@testable import HearthDevicePlane
@testable import HearthHTTP
@testable import HearthManagement
@testable import HearthManagementTestSupport
@testable import HearthRouting
@testable import HearthServing

/// Which route is open to whom. A route that is not in the table fails the test.
@Suite("Roles") struct RoleTableTests {
    enum Access {
        /// Without an identity, or with one that the route checks itself.
        case anyone
        /// With the project's API key.
        case device
        case signedIn
        case role(Role)
        /// The path names no project: it is the one that the account or token belongs to.
        case ownProject(Role)
        case operators
        /// Operators, and tokens of the whole server with the role mirror.
        case mirror
    }

    private static let table: [String: Access] = [
        "GET healthz": .anyone,
        "GET readyz": .anyone,
        "GET hearth/v1/openapi.json": .anyone,
        "POST token": .anyone,
        "GET hearth/v1/files/{sha256}": .anyone,

        "GET v1beta2/projects/{project}/models/{model}:download": .device,
        "POST v1/projects/{project}/installations": .device,
        "POST v1/projects/{project}/installations/{fid}/authTokens:generate": .device,
        "DELETE v1/projects/{project}/installations/{fid}": .device,

        "GET v1beta2/projects/{project}/models": .role(.viewer),
        "GET v1beta2/projects/{project}/models/{model}": .role(.viewer),
        "POST v1beta2/projects/{project}/models": .role(.publisher),
        "PATCH v1beta2/projects/{project}/models/{model}": .role(.publisher),
        "DELETE v1beta2/projects/{project}/models/{model}": .role(.publisher),
        "GET v1beta2/projects/{project}/operations/{operation}": .role(.viewer),
        "POST hearth/v1/projects/{project}/uploads": .role(.publisher),
        "GET hearth/v1/projects/{project}/uploads": .role(.publisher),
        "POST hearth/v1/projects/{project}/uploads:pack": .role(.publisher),
        "PUT hearth/v1/projects/{project}/uploads": .role(.publisher),
        "DELETE hearth/v1/projects/{project}/uploads": .role(.publisher),
        "DELETE hearth/v1/projects/{project}/uploads/{upload}": .role(.publisher),
        "GET hearth/v1/projects/{project}/models/{model}/versions": .role(.viewer),
        "GET hearth/v1/projects/{project}/models/{model}/versions/{version}": .role(.viewer),
        "PATCH hearth/v1/projects/{project}/models/{model}/versions/{version}": .role(.publisher),
        "POST hearth/v1/projects/{project}/models/{model}/versions": .role(.publisher),
        "POST hearth/v1/projects/{project}/models/{model}/versions/{version}:try": .role(.viewer),
        "GET hearth/v1/projects/{project}/models/{model}/versions/{version}:compare": .role(.viewer),
        "GET hearth/v1/projects/{project}/models/{model}/aliases": .role(.viewer),
        "PUT hearth/v1/projects/{project}/models/{model}/aliases/{alias}": .role(.publisher),
        "DELETE hearth/v1/projects/{project}/models/{model}/aliases/{alias}": .role(.publisher),
        "GET hearth/v1/projects/{project}/models/{model}/devices": .role(.viewer),
        "GET hearth/v1/projects/{project}/models/{model}/recentDevices": .role(.viewer),
        "GET hearth/v1/projects/{project}/models/{model}/health": .role(.viewer),
        "GET hearth/v1/projects/{project}/models/{model}/releases": .role(.viewer),
        "GET hearth/v1/projects/{project}/models/{model}/releases/{release}": .role(.viewer),
        "POST hearth/v1/projects/{project}/models/{model}/releases": .role(.publisher),
        "PATCH hearth/v1/projects/{project}/models/{model}/releases/{release}": .role(.publisher),
        "POST hearth/v1/projects/{project}/models/{model}/releases/{release}:pause": .role(.publisher),
        "POST hearth/v1/projects/{project}/models/{model}/releases/{release}:resume": .role(.publisher),
        "POST hearth/v1/projects/{project}/models/{model}/releases/{release}:end": .role(.publisher),
        "POST hearth/v1/projects/{project}/models/{model}:rollback": .role(.publisher),

        "GET hearth/v1/projects/{project}/models/{model}/images": .role(.publisher),
        "GET hearth/v1/projects/{project}/models/{model}/images/{image}": .role(.publisher),
        "PUT hearth/v1/projects/{project}/models/{model}/images/{image}": .role(.publisher),
        "DELETE hearth/v1/projects/{project}/models/{model}/images/{image}": .role(.publisher),
        "GET hearth/v1/projects/{project}/models/{model}/rehearsals": .role(.publisher),
        "GET hearth/v1/projects/{project}/models/{model}/rehearsals/{rehearsal}": .role(.publisher),
        "POST hearth/v1/projects/{project}/models/{model}/rehearsals": .role(.publisher),
        "GET hearth/v1/projects/{project}/models/{model}/pins": .role(.viewer),
        "GET hearth/v1/projects/{project}/models/{model}:explain": .role(.viewer),
        "POST hearth/v1/projects/{project}/models/{model}:pin": .role(.publisher),
        "POST hearth/v1/projects/{project}/models/{model}:unpin": .role(.publisher),

        "GET storage/v1/b/{bucket}": .ownProject(.viewer),
        "GET storage/v1/b/{bucket}/o/{object}": .ownProject(.viewer),
        "GET download/storage/v1/b/{bucket}/o/{object}": .ownProject(.viewer),
        "POST upload/storage/v1/b/{bucket}/o": .ownProject(.publisher),
        "PUT upload/storage/v1/b/{bucket}/o": .ownProject(.publisher),
        "DELETE upload/storage/v1/b/{bucket}/o": .ownProject(.publisher),
        "GET storage/v1/b/{bucket}/o": .ownProject(.viewer),
        "DELETE storage/v1/b/{bucket}/o/{object}": .ownProject(.publisher),
        // Not offered, and said so to whoever is signed in.
        "GET storage/v1/b": .ownProject(.viewer),
        "POST storage/v1/b": .ownProject(.viewer),
        "DELETE storage/v1/b/{bucket}": .ownProject(.viewer),
        "PATCH storage/v1/b/{bucket}": .ownProject(.viewer),
        "PUT storage/v1/b/{bucket}": .ownProject(.viewer),
        "PATCH storage/v1/b/{bucket}/o/{object}": .ownProject(.viewer),
        "PUT storage/v1/b/{bucket}/o/{object}": .ownProject(.viewer),
        "POST storage/v1/b/{bucket}/o/{object}/compose": .ownProject(.viewer),
        "POST storage/v1/b/{bucket}/o/{object}/rewriteTo/b/{toBucket}/o/{toObject}": .ownProject(.viewer),
        "POST storage/v1/b/{bucket}/o/{object}/copyTo/b/{toBucket}/o/{toObject}": .ownProject(.viewer),
        "POST batch/storage/v1": .ownProject(.viewer),

        "GET v1/projects/{project}/remoteConfig": .role(.viewer),
        "GET v1/projects/{project}/remoteConfig:listVersions": .role(.viewer),
        "GET v1/projects/{project}/remoteConfig:downloadDefaults": .role(.viewer),
        "PUT v1/projects/{project}/remoteConfig": .role(.publisher),
        "POST v1/projects/{project}/remoteConfig:rollback": .role(.publisher),
        "POST v1/projects/{project}/remoteConfig:importVersion": .role(.owner),
        "GET v1/projects/{project}/namespaces/{namespace}/remoteConfig": .role(.viewer),
        "GET v1/projects/{project}/namespaces/{namespace}/remoteConfig:listVersions": .role(.viewer),
        "GET v1/projects/{project}/namespaces/{namespace}/remoteConfig:downloadDefaults": .role(.viewer),
        "PUT v1/projects/{project}/namespaces/{namespace}/remoteConfig": .role(.publisher),
        "POST v1/projects/{project}/namespaces/{namespace}/remoteConfig:rollback": .role(.publisher),
        "POST v1/projects/{project}/namespaces/{namespace}/remoteConfig:importVersion": .role(.owner),
        "GET v1/projects/{project}/namespaces/{namespace}/serverRemoteConfig": .role(.viewer),
        "POST v1/projects/{project}/namespaces/{namespace}:fetch": .device,
        "POST v1/projects/{project}/namespaces/{namespace}:streamFetchInvalidations": .device,

        "POST hearth/v1/projects/{project}/remoteConfig:evaluate": .role(.viewer),
        "POST hearth/v1/projects/{project}/namespaces/{namespace}/remoteConfig:evaluate": .role(.viewer),

        "GET hearth/v1/projects/{project}/experiments": .role(.viewer),
        "GET hearth/v1/projects/{project}/experiments/{experiment}": .role(.viewer),
        "GET hearth/v1/projects/{project}/experiments/{experiment}/results": .role(.viewer),
        "GET hearth/v1/projects/{project}/experiments/{experiment}/history": .role(.viewer),
        "GET hearth/v1/projects/{project}/experiments/{experiment}/data": .role(.publisher),
        "POST hearth/v1/projects/{project}/experiments": .role(.publisher),
        "PUT hearth/v1/projects/{project}/experiments/{experiment}": .role(.publisher),
        "DELETE hearth/v1/projects/{project}/experiments/{experiment}": .role(.publisher),
        "POST hearth/v1/projects/{project}/experiments/{experiment}:start": .role(.publisher),
        "POST hearth/v1/projects/{project}/experiments/{experiment}:stop": .role(.publisher),
        "POST hearth/v1/projects/{project}/experiments/{experiment}:rollOut": .role(.publisher),
        "GET hearth/v1/projects/{project}/experiments/{experiment}/pins": .role(.viewer),
        "POST hearth/v1/projects/{project}/experiments/{experiment}:pin": .role(.publisher),
        "POST hearth/v1/projects/{project}/experiments/{experiment}:unpin": .role(.publisher),
        "GET hearth/v1/projects/{project}/events": .role(.viewer),
        "POST hearth/v1/projects/{project}/events": .device,
        "GET v1/projects/{project}/namespaces/{namespace}/experiments": .role(.viewer),
        "GET v1/projects/{project}/namespaces/{namespace}/experiments/{experiment}": .role(.viewer),
        "DELETE v1/projects/{project}/namespaces/{namespace}/experiments/{experiment}": .role(.publisher),

        "GET hearth/v1/projects": .signedIn,
        "POST hearth/v1/projects": .operators,
        "GET hearth/v1/projects/{project}": .role(.viewer),
        "DELETE hearth/v1/projects/{project}": .operators,
        "GET hearth/v1/projects/{project}/overview": .role(.viewer),
        "GET hearth/v1/projects/{project}/modelNames": .role(.viewer),
        "GET hearth/v1/projects/{project}/search": .role(.viewer),

        "GET hearth/v1/projects/{project}/serviceAccounts": .role(.owner),
        "POST hearth/v1/projects/{project}/serviceAccounts": .role(.owner),
        "PATCH hearth/v1/projects/{project}/serviceAccounts/{email}": .role(.owner),
        "DELETE hearth/v1/projects/{project}/serviceAccounts/{email}": .role(.owner),
        "POST hearth/v1/projects/{project}/serviceAccounts/{email}/keys": .role(.owner),
        "DELETE hearth/v1/projects/{project}/serviceAccounts/{email}/keys/{key}": .role(.owner),
        "GET hearth/v1/projects/{project}/apiKeys": .role(.owner),
        "POST hearth/v1/projects/{project}/apiKeys": .role(.owner),
        "POST hearth/v1/projects/{project}/apiKeys:lookup": .role(.owner),
        "PATCH hearth/v1/projects/{project}/apiKeys/{key}": .role(.owner),
        "POST hearth/v1/projects/{project}/apiKeys/{key}:rotate": .role(.owner),
        "DELETE hearth/v1/projects/{project}/apiKeys/{key}": .role(.owner),
        "GET hearth/v1/projects/{project}/adminTokens": .role(.owner),
        "POST hearth/v1/projects/{project}/adminTokens": .role(.owner),
        "DELETE hearth/v1/projects/{project}/adminTokens/{token}": .role(.owner),
        "GET hearth/v1/projects/{project}/audit": .role(.owner),

        "GET hearth/v1/server": .signedIn,
        "GET hearth/v1/caller": .signedIn,
        "POST hearth/v1/signInCodes": .signedIn,
        "GET hearth/v1/consoleSessions": .signedIn,
        "DELETE hearth/v1/consoleSessions/{session}": .signedIn,
        "GET hearth/v1/projects/{project}/sharedLinks": .role(.publisher),
        "POST hearth/v1/projects/{project}/sharedLinks": .role(.publisher),
        "DELETE hearth/v1/projects/{project}/sharedLinks/{link}": .role(.publisher),

        "GET hearth/v1/adminTokens": .operators,
        "POST hearth/v1/adminTokens": .operators,
        "DELETE hearth/v1/adminTokens/{token}": .operators,
        "GET hearth/v1/audit": .operators,
        "GET hearth/v1/server/signingKeys": .operators,
        "POST hearth/v1/server/signingKeys": .operators,
        "POST hearth/v1/server/signingKeys/{key}:retire": .operators,
        "GET hearth/v1/server/mirror": .mirror,
        "GET hearth/v1/server/mirror/files/{sha256}": .mirror,
        "GET hearth/v1/server/mirror/installations": .mirror,
        "POST hearth/v1/server/mirror/installations": .mirror,
    ]

    /// Each route of the service with its line in the table.
    private static func routes(_ service: TestService) throws -> [(route: Route, access: Access)] {
        let names = service.handler.routes.map { "\($0.call.method.rawValue) \($0.call.path)" }
        #expect(Set(names).symmetricDifference(table.keys) == [], "each route has a line in the table")
        return try zip(service.handler.routes, names).map { ($0.route, try #require(table[$1])) }
    }

    @Test("The table of calls says the same as this one")
    func calls() throws {
        for route in try TestService().handler.routes {
            let name = "\(route.call.method.rawValue) \(route.call.path)"
            let said: Set<CallAccess> =
                switch try #require(Self.table[name]) {
                case .anyone: [.anyone]
                case .device: [.apiKey, .device]
                case .signedIn: [.signedIn]
                case .role(let role), .ownProject(let role):
                    [try #require([Role.viewer: .viewer, .publisher: .publisher, .owner: .owner][role])]
                case .operators: [.serverOperator]
                case .mirror: [.mirror]
                }
            #expect(said.contains(route.call.access), "\(name)")
        }
    }

    private static func status(_ service: TestService, _ route: Route, _ token: String?) throws -> Int {
        var headers: HTTPHeaders = [:]
        headers["Authorization"] = token.map { "Bearer \($0)" }
        let answer = try service.call(route.method, route.pattern.path, headers: headers, body: Array("{}".utf8))
        if [401, 403].contains(answer.status) { #expect(answer.bodyBytesRead == 0, "\(route.pattern.text)") }
        return answer.status
    }

    @Test("Every route lets in the roles that the table says, and nobody else", arguments: [true, false])
    func roles(withAdminTokens: Bool) throws {
        let service = try TestService()
        func token(_ role: Role, in start: NewProject) throws -> String {
            if withAdminTokens { return try service.adminToken(role, in: start.project.id) }
            return try service.accessToken(service.addAccount(role.rawValue, role, of: start))
        }
        // Else an operator, who may, would remove the project.
        try service.services.metadata.write {
            try $0.insert(
                Model(
                    id: 1, projectID: "project-a", displayName: "stays", tags: [], createdMicroseconds: 0,
                    updatedMicroseconds: 0))
        }
        let members = try Role.allCases.map { (role: $0, token: try token($0, in: service.a)) }
        let outsider = try token(.owner, in: service.b)
        let theFollower = try service.adminToken(.mirror, in: nil)
        let theOperator =
            try withAdminTokens
            ? service.adminToken(.owner, in: nil)
            : service.accessToken(service.addAccount("root", .viewer, isOperator: true, of: service.b))
        for (route, access) in try Self.routes(service) {
            func allows(_ token: String?) throws -> Bool {
                ![401, 403].contains(try Self.status(service, route, token))
            }
            let name: Comment = "\(route.method) \(route.pattern.text)"
            switch access {
            case .anyone:
                break
            case .device:
                #expect(try Self.status(service, route, members[2].token) == 403, name)
            case .signedIn:
                #expect(try Self.status(service, route, nil) == 401, name)
                // A follower's token only copies.
                for (role, token) in members { #expect(try allows(token) == (role != .mirror), name) }
                for token in [outsider, theOperator] { #expect(try allows(token), name) }
            case .role(let least):
                #expect(try Self.status(service, route, nil) == 401, name)
                #expect(try Self.status(service, route, outsider) == 403, name)
                #expect(try allows(theOperator), name)
                try expect(members, reach: route, from: least, of: service)
            case .ownProject(let least):
                #expect(try Self.status(service, route, nil) == 401, name)
                try expect(members, reach: route, from: least, of: service)
                #expect(try allows(theOperator) == !withAdminTokens, "a token of the whole server has no project")
            case .operators, .mirror:
                #expect(try Self.status(service, route, nil) == 401, name)
                for token in members.map(\.token) + [outsider] {
                    #expect(try Self.status(service, route, token) == 403, name)
                }
                #expect(try allows(theOperator), name)
            }
            if case .anyone = access { continue }
            if case .mirror = access {
                #expect(try allows(theFollower), name)
            } else {
                #expect(try !allows(theFollower), name)
            }
        }
    }

    private func expect(
        _ members: [(role: Role, token: String)], reach route: Route, from least: Role, of service: TestService
    ) throws {
        for (role, token) in members {
            let status = try Self.status(service, route, token)
            #expect(
                (status == 403) == (role < least) && status != 401,
                "\(route.method) \(route.pattern.text), \(role): \(status)")
        }
    }

    @Test("A server-wide token of a lower role reads everywhere, and changes nothing")
    func serverWideViewer() throws {
        let service = try TestService()
        let viewer = try service.adminToken(.viewer, in: nil)
        for (route, access) in try Self.routes(service) {
            let status = try Self.status(service, route, viewer)
            switch access {
            case .role(.viewer), .signedIn: #expect(status != 403, "\(route.pattern.text)")
            case .role, .ownProject, .operators, .mirror: #expect(status == 403, "\(route.pattern.text)")
            case .anyone, .device: break
            }
        }
    }

    @Test("Wrong, altered, ended and foreign tokens open nothing")
    func badTokens() throws {
        let service = try TestService()
        let key = try service.addAccount("gone", .owner)
        let access = try service.accessToken(key)
        let admin = try service.adminToken(.owner)
        let ended = try service.adminToken(.owner, ends: service.time.now.microseconds)
        let foreign = try TestService()
        var tokens = [
            "", "hearth_", "hearth__", "hearth_x_y", admin + "A", String(admin.dropLast()), admin.uppercased(), ended,
            try foreign.adminToken(.owner), try foreign.accessToken(foreign.a), access + "A",
            try service.installationToken(service.a), service.a.clientSecret, service.a.apiKey,
            try service.accessToken(
                AccountKey(
                    id: key.id, email: service.a.account.email, clientID: "", publicKeyPEM: "", clientSecretHash: "",
                    createdMicroseconds: 0)),
        ]
        var revoked = key
        revoked.endsMicroseconds = service.time.now.microseconds
        try service.services.metadata.write { try $0.update(revoked) }
        tokens.append(access)
        for (route, entry) in try Self.routes(service) {
            switch entry {
            case .anyone, .device: continue
            case .signedIn, .role, .ownProject, .operators, .mirror: break
            }
            for token in tokens {
                #expect(try Self.status(service, route, token) == 401, "\(route.pattern.text) \(token)")
            }
        }
        #expect(try service.hearth(.get, "projects", token: admin).status == 200)
    }
}

extension RoutePattern {
    fileprivate var text: String {
        let parts = segments.map { segment in
            switch segment {
            case .literal(let text): text
            case .parameter(let name): "{\(name)}"
            case .rest(let name): "{\(name)...}"
            }
        }
        return parts.joined(separator: "/") + (verb.map { ":\($0)" } ?? "")
    }

    /// A path of it, in project a, for something that is not there.
    fileprivate var path: String {
        let parts = segments.map { segment in
            switch segment {
            case .literal(let text): text
            case .parameter("project"): "project-a"
            case .parameter, .rest: "x"
            }
        }
        return "/" + parts.joined(separator: "/") + (verb.map { ":\($0)" } ?? "")
    }
}
