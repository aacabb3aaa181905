public import HearthCalls
import HearthTransport
public import HearthWire

/// Rehearsals of a model, by its resource name `projects/{project}/models/{id}`.
extension AdminClient {
    /// The model's images, in order of name.
    ///
    /// - Throws: ``AdminError``.
    public func images(of model: String) throws(AdminError) -> [RehearsalBodies.Image] {
        try call(RehearsalBodies.ImageList.self, .get("/hearth/v1/\(model)/images")).images ?? []
    }

    /// Adds an image file, or replaces the one of that name.
    ///
    /// - Parameters:
    ///   - name: unique in the model's set; slashes separate folders.
    ///   - label: the expected answer; nil for none.
    ///   - bytes: the file.
    /// - Throws: ``AdminError``.
    public func putImage(
        _ name: String, label: String?, bytes: [UInt8], of model: String
    ) throws(AdminError) -> RehearsalBodies.Image {
        var request = AdminRequest(
            method: "PUT", path: Self.imagePath(name, of: model) + AdminRequest.query([("label", label)]),
            isIdempotent: true)
        request.body = .bytes(bytes)
        request.contentType = "application/octet-stream"
        return try call(request)
    }

    /// The bytes of an image file.
    ///
    /// - Throws: ``AdminError``.
    public func imageBytes(_ name: String, of model: String) throws(AdminError) -> [UInt8] {
        let response = try response(.get(Self.imagePath(name, of: model)))
        guard response.status == 200 else { throw AdminError(response) }
        return Array(response.body)
    }

    /// Deletes an image.
    ///
    /// - Throws: ``AdminError``.
    public func deleteImage(_ name: String, of model: String) throws(AdminError) {
        try perform(.change("DELETE", Self.imagePath(name, of: model)))
    }

    /// The model's rehearsals, newest first, without their images.
    ///
    /// - Throws: ``AdminError``.
    public func rehearsals(of model: String) throws(AdminError) -> [RehearsalBodies.Rehearsal] {
        try call(RehearsalBodies.List.self, .get("/hearth/v1/\(model)/rehearsals")).rehearsals ?? []
    }

    /// Runs a version and the one that it is compared with on the model's images, and waits for the result. If there is
    /// a result for the same versions and images, it returns that one.
    ///
    /// - Parameter progress: gets the finished runs and all runs, from time to time.
    /// - Throws: ``AdminError``; `operationFailed` if a version cannot be run on images.
    public func rehearse(
        _ model: String, _ body: RehearsalBodies.StartRequest,
        progress: (_ finished: Int, _ total: Int) -> Void = { _, _ in }
    ) throws(AdminError) -> RehearsalBodies.Rehearsal {
        var state: RehearsalBodies.Rehearsal = try call(.change("POST", "/hearth/v1/\(model)/rehearsals", body: body))
        var attempt = 1
        while state.state == "queued" || state.state == "running" {
            progress(state.finishedRuns ?? 0, state.runs ?? 0)
            sleep(min(2, 0.1 * Double(attempt)))
            attempt += 1
            state = try call(.get("/hearth/v1/\(model)/rehearsals/\(AdminRequest.encoded(state.rehearsal))"))
        }
        if let failure = state.failure { throw AdminError(.operationFailed, failure) }
        guard state.summary != nil else {
            throw AdminError(.malformedResponse, "The server's answer has no result.")
        }
        guard state.images == nil else { return state }
        return try call(.get("/hearth/v1/\(model)/rehearsals/\(AdminRequest.encoded(state.rehearsal))"))
    }

    private static func imagePath(_ name: String, of model: String) -> String {
        "/hearth/v1/\(model)/images/\(AdminRequest.encoded(name))"
    }
}
