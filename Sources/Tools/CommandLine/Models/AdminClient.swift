import Foundation
import HearthCrypto
import HearthLocalCommands
import HearthTransport
import HearthWire

/// Admin calls to a server, signed in with a service-account key. Blocks.
final class AdminClient {
    private let key: ServiceAccountKey
    private let transport: any Transport
    private var accessToken: String?

    init(_ key: ServiceAccountKey, transport: any Transport = DeviceClient.transport()) {
        self.key = key
        self.transport = transport
    }

    /// Streams the file at `path`; `name` is what the server calls it.
    func upload(
        _ path: String, name: String, progress: @escaping @Sendable (UInt64, UInt64?) -> Void
    ) throws -> UploadResource {
        var allowed = CharacterSet.alphanumerics
        allowed.insert(charactersIn: "-._~")
        let query = name.addingPercentEncoding(withAllowedCharacters: allowed) ?? "model.tflite"
        return try call(
            "POST", "/hearth/v1/projects/\(key.projectID)/uploads?name=\(query)", body: .file(path: path),
            contentType: "application/octet-stream", progress: progress)
    }

    /// The model of that display name, or nil.
    func find(_ displayName: String) throws -> ModelResource? {
        let list: ModelList = try call("GET", modelsPath + "?filter=displayName%3D" + displayName)
        return list.models?.first
    }

    func list() throws -> [ModelResource] {
        var models: [ModelResource] = []
        var token: String?
        repeat {
            let page: ModelList = try call("GET", modelsPath + (token.map { "?pageToken=\($0)" } ?? ""))
            models += page.models ?? []
            token = page.nextPageToken
        } while token != nil
        return models
    }

    func create(_ model: ModelResource) throws -> ModelResource {
        try finished(call("POST", modelsPath, body: .bytes(try WireJSON.encode(model))))
    }

    /// `name` is the resource name, `mask` what changes.
    func update(_ name: String, _ model: ModelResource, mask: String) throws -> ModelResource {
        try finished(call("PATCH", "/v1beta2/\(name)?updateMask=\(mask)", body: .bytes(try WireJSON.encode(model))))
    }

    func delete(_ name: String) throws {
        let _: Nothing = try call("DELETE", "/v1beta2/\(name)")
    }

    private struct Nothing: Decodable {}

    private var modelsPath: String { "/v1beta2/projects/\(key.projectID)/models" }

    private func finished(_ operation: OperationResource) throws -> ModelResource {
        if let error = operation.error { throw CommandFailure(error.message) }
        guard let model = operation.response else { throw CommandFailure("The server's answer has no model.") }
        return model
    }

    private func call<Answer: Decodable>(
        _ method: String, _ path: String, body: TransportRequest.Body = .none,
        contentType: String = "application/json", progress: (@Sendable (UInt64, UInt64?) -> Void)? = nil
    ) throws -> Answer {
        var response = try send(method, path, body, contentType, progress, token: try accessToken ?? signIn())
        if response.status == 401 {
            // The token ran out, for example during a long upload.
            response = try send(method, path, body, contentType, progress, token: try signIn())
        }
        return try Self.decode(response)
    }

    private func send(
        _ method: String, _ path: String, _ body: TransportRequest.Body, _ contentType: String,
        _ progress: (@Sendable (UInt64, UInt64?) -> Void)?, token: String
    ) throws -> TransportResponse {
        accessToken = token
        return try transport.send(
            TransportRequest(
                method: method, url: base + path,
                headers: [("Authorization", "Bearer \(token)"), ("Content-Type", contentType)], body: body,
                // After the last byte of an upload the server checks the model, and others may be before it.
                stallTimeoutSeconds: 180, uploadProgress: progress))
    }

    /// Trades a signed assertion for an access token.
    private func signIn() throws -> String {
        let now = Int64(Date().timeIntervalSince1970)
        let claims: [String: String] = [
            "iss": key.clientEmail, "aud": "https://oauth2.googleapis.com/token",
            "scope": "https://www.googleapis.com/auth/cloud-platform",
        ]
        var payload = String(decoding: try WireJSON.encode(claims), as: UTF8.self)
        payload = "{\"iat\":\(now),\"exp\":\(now + 3600)," + payload.dropFirst()
        let assertion = try JWT.encodeRS256(
            payload: Array(payload.utf8), keyID: key.privateKeyID, key: try RSAPrivateKey(pem: key.privateKey))
        let form = "grant_type=urn%3Aietf%3Aparams%3Aoauth%3Agrant-type%3Ajwt-bearer&assertion=\(assertion)"
        let response = try transport.send(
            TransportRequest(
                method: "POST", url: key.tokenURI, headers: [("Content-Type", "application/x-www-form-urlencoded")],
                body: .bytes(Array(form.utf8)), totalTimeoutSeconds: 30))
        if response.status != 200,
            let failure = try? WireJSON.decode(TokenBodies.Failure.self, from: response.body)
        {
            throw CommandFailure("The server refused the credentials: \(failure.errorDescription)")
        }
        let answer: TokenBodies.Response = try Self.decode(response)
        return answer.accessToken
    }

    private var base: String {
        key.hearthURL.hasSuffix("/") ? String(key.hearthURL.dropLast()) : key.hearthURL
    }

    private static func decode<Answer: Decodable>(_ response: TransportResponse) throws -> Answer {
        guard (200...299).contains(response.status) else {
            let envelope = try? WireJSON.decode(ErrorEnvelope.self, from: response.body)
            throw CommandFailure(envelope?.error.message ?? "The server answered with HTTP status \(response.status).")
        }
        do {
            return try WireJSON.decode(Answer.self, from: response.body)
        } catch {
            throw CommandFailure("The server's answer is not readable; is it a Hearth server?")
        }
    }
}
