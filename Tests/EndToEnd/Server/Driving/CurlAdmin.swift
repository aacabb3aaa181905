import EndToEndDriving
import HearthCalls
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

/// Configuration, experiments and what devices reported.
extension CurlAdmin {
    /// What an experiment counted of one installation.
    struct Counted: Equatable {
        var variant: String
        /// How many events of the goal, and the sum of their values.
        var count: Int
        var sum: Double
    }

    private var ownURL: String { "\(server.url)/hearth/v1/projects/\(key.projectID)" }

    /// A template with these parameters, for everybody.
    func put(parameters: [String: String]) throws {
        let template = RemoteConfigTemplate(
            parameters: parameters.mapValues { RemoteConfigParameter(defaultValue: .text($0)) })
        let reply = try call(
            "\(server.url)/v1/projects/\(key.projectID)/remoteConfig",
            [
                "-X", "PUT", "-H", "If-Match: *", "-H", "Content-Type: application/json", "-d",
                String(decoding: try WireJSON.encode(template), as: UTF8.self),
            ])
        #expect(reply.status == 200, "\(String(decoding: reply.body, as: UTF8.self))")
    }

    /// With the goal `content`, whose values are added up.
    func startExperiment(_ name: String, _ variants: [ExperimentBodies.Variant]) throws {
        let goal = ExperimentBodies.Metric(event: "content", kind: "total")
        let definition = ExperimentBodies.Definition(name: name, variants: variants, goal: goal)
        try change("experiments", String(decoding: try WireJSON.encode(definition), as: UTF8.self))
        try change("experiments/\(name):start")
    }

    func stopExperiment(_ name: String) throws { try change("experiments/\(name):stop") }

    func rollOut(_ variant: String, of name: String) throws {
        try change("experiments/\(name):rollOut", #"{"variant": "\#(variant)"}"#)
    }

    func results(_ name: String) throws -> ExperimentBodies.Results {
        try call("\(ownURL)/experiments/\(name)/results").decode()
    }

    /// Everything that an experiment counted, by installation.
    func counted(_ name: String) throws -> [String: Counted] {
        let reply = try call("\(ownURL)/experiments/\(name)/data")
        #expect(reply.status == 200)
        let lines = String(decoding: reply.body, as: UTF8.self).split(separator: "\r\n").dropFirst()
        return try Dictionary(
            uniqueKeysWithValues: lines.map { line in
                let fields = line.split(separator: ",").map(String.init)
                try #require(fields.count == 5, "\(line)")
                let counted = Counted(
                    variant: fields[1], count: try #require(Int(fields[3])), sum: try #require(Double(fields[4])))
                return (fields[0], counted)
            })
    }

    /// What devices reported in the last days.
    func events() throws -> [EventBodies.Summary.Row] {
        try call("\(ownURL)/events").decode(EventBodies.Summary.self).events ?? []
    }

    private func change(_ path: String, _ body: String = "{}") throws {
        let reply = try send("POST", "\(ownURL)/\(path)", body)
        #expect(reply.status == 200, "\(path): \(String(decoding: reply.body, as: UTF8.self))")
    }
}
