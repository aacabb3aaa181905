public import HearthCalls
import HearthTransport
public import HearthWire

/// Trying and comparing versions of a model, by its resource name `projects/{project}/models/{id}`.
extension AdminClient {
    /// Runs a version on an image, which the server does not keep.
    ///
    /// - Parameters:
    ///   - image: the bytes of an image file, at most 32 MiB.
    ///   - version: its number.
    ///   - threshold: the least confidence of an answer, 0 to 1, for up to 100 answers; a box must be above it. nil for
    ///     20 answers, and boxes above 0.5, unless the file or `processing` states another threshold.
    ///   - processing: how the image goes in and what comes out in this run, where it is not as the file says.
    /// - Throws: ``AdminError``; with the server's code `INVALID_ARGUMENT` if the image cannot be read, and
    ///   `FAILED_PRECONDITION` if the version gives no answer; with `INVALID_ARGUMENT` also if `processing` has values that
    ///   no model can use.
    public func tryVersion(
        _ version: Int, on image: [UInt8], of model: String, threshold: Double? = nil,
        processing: ImageProcessingBody? = nil
    ) throws(AdminError) -> TryBodies.Answers {
        let json = processing.flatMap { try? WireJSON.encode($0) }.map { String(decoding: $0, as: UTF8.self) }
        var request = AdminRequest(
            VersionCalls.run, of: model, ["\(version)"],
            query: [("threshold", threshold.map { "\($0)" }), ("processing", json)])
        request.body = .bytes(image)
        request.contentType = "application/octet-stream"
        request.isIdempotent = true
        return try answer(to: request)
    }

    /// How a version differs from the other one.
    ///
    /// - Parameters:
    ///   - version: its number.
    ///   - other: the number of the version to compare with.
    /// - Throws: ``AdminError``.
    public func compareVersion(
        _ version: Int, with other: Int, of model: String
    ) throws(AdminError) -> VersionComparison {
        try call(VersionCalls.compare, of: model, "\(version)", query: [("with", String(other))])
    }
}
