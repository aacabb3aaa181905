import EndToEndDriving
import HearthWire
import Testing

/// What an ML engineer does with `curl` and the admin credentials file.
struct CurlAdmin {
    let server: ServerProcess
    let key: ServiceAccountKey
    let token: String

    /// Signs in with client id and secret.
    init(_ server: ServerProcess) throws {
        self.server = server
        key = try server.adminKey()
        let reply = try Curl.call(
            key.tokenURI, ["-u", "\(key.clientID):\(key.clientSecret)", "-d", "grant_type=client_credentials"])
        #expect(reply.status == 200)
        token = try reply.decode(TokenBodies.Response.self).accessToken
    }

    var modelsURL: String { "\(server.url)/v1beta2/projects/\(key.projectID)/models" }

    func call(_ url: String, _ arguments: [String] = []) throws -> Curl.Reply {
        try Curl.call(url, ["-H", "Authorization: Bearer \(token)"] + arguments)
    }

    /// `body` as JSON, with the method `-X method`.
    func send(_ method: String, _ url: String, _ body: String) throws -> Curl.Reply {
        try call(url, ["-X", method, "-H", "Content-Type: application/json", "-d", body])
    }

    /// Streams the file, as `curl -T` does.
    func upload(_ path: String, name: String = "model.tflite") throws -> Curl.Reply {
        try call("\(server.url)/hearth/v1/projects/\(key.projectID)/uploads?name=\(name)", ["-X", "POST", "-T", path])
    }

    func create(_ displayName: String, uri: String) throws -> OperationResource {
        let reply = try send(
            "POST", modelsURL, #"{"displayName": "\#(displayName)", "tfliteModel": {"gcsTfliteUri": "\#(uri)"}}"#)
        #expect(reply.status == 200)
        return try reply.decode()
    }

    /// `name` is the model's resource name.
    func publish(_ name: String, _ published: Bool = true) throws -> OperationResource {
        let reply = try send(
            "PATCH", "\(server.url)/v1beta2/\(name)?updateMask=state.published",
            #"{"state": {"published": \#(published)}}"#)
        #expect(reply.status == 200)
        return try reply.decode()
    }

    func list() throws -> [ModelResource] { try call(modelsURL).decode(ModelList.self).models ?? [] }

    /// Upload, create, publish: the model's resource name.
    @discardableResult
    func push(_ displayName: String, _ path: String) throws -> String {
        let upload: UploadResource = try upload(path).decode()
        let created = try #require(try create(displayName, uri: upload.gcsTfliteUri).response?.name)
        let published = try publish(created)
        #expect(published.response?.state?.published == true)
        return created
    }
}
