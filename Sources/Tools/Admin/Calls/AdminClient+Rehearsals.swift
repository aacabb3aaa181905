public import HearthCalls
import HearthTransport
public import HearthWire

/// Rehearsals of a model, by its resource name `projects/{project}/models/{id}`.
extension AdminClient {
    /// The model's images, in order of name.
    ///
    /// - Throws: ``AdminError``.
    public func images(of model: String) throws(AdminError) -> [RehearsalBodies.Image] {
        try call(RehearsalCalls.listImages, of: model).images ?? []
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
        var request = AdminRequest(RehearsalCalls.putImage, of: model, [name], query: [("label", label)])
        request.body = .bytes(bytes)
        request.contentType = "application/octet-stream"
        request.isIdempotent = true
        return try answer(to: request)
    }

    /// The bytes of an image file.
    ///
    /// - Throws: ``AdminError``.
    public func imageBytes(_ name: String, of model: String) throws(AdminError) -> [UInt8] {
        let response = try response(AdminRequest(RehearsalCalls.getImage, of: model, [name]))
        guard response.status == 200 else { throw AdminError(response) }
        return Array(response.body)
    }

    /// Deletes an image.
    ///
    /// - Throws: ``AdminError``.
    public func deleteImage(_ name: String, of model: String) throws(AdminError) {
        try perform(RehearsalCalls.deleteImage, of: model, name)
    }

    /// The model's rehearsals, newest first, without their images.
    ///
    /// - Throws: ``AdminError``.
    public func rehearsals(of model: String) throws(AdminError) -> [RehearsalBodies.Rehearsal] {
        try call(RehearsalCalls.list, of: model).rehearsals ?? []
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
        var state = try call(RehearsalCalls.start, of: model, body: body)
        var attempt = 1
        while state.state == "queued" || state.state == "running" {
            progress(state.finishedRuns ?? 0, state.runs ?? 0)
            sleep(min(2, 0.1 * Double(attempt)))
            attempt += 1
            state = try call(RehearsalCalls.get, of: model, state.rehearsal)
        }
        if let failure = state.failure { throw AdminError(.operationFailed, failure) }
        guard state.summary != nil else {
            throw AdminError(.malformedResponse, "The server's answer has no result.")
        }
        guard state.images == nil else { return state }
        return try call(RehearsalCalls.get, of: model, state.rehearsal)
    }
}
