import HearthCatalog
import HearthHTTP

/// How one of the two upload interfaces, Google's or Hearth's own, words its answers.
struct UploadSurface: Sendable {
    /// How long the answer to a complete upload waits for the verdict on its bytes.
    let waitSeconds: Double
    /// To a complete upload.
    let success: @Sendable (UploadedObject) throws -> Response
    let failure: @Sendable (RequestHead, any Error) -> Response

    func respond(_ head: RequestHead, _ body: () throws -> Response) -> Response {
        do {
            return try body()
        } catch {
            return failure(head, error)
        }
    }

    /// How far an upload has come: 308, and the range of bytes that are durable.
    static func progress(_ receivedBytes: UInt64) -> Response {
        var response = Response(status: 308)
        if receivedBytes > 0 { response.headers["Range"] = "bytes=0-\(receivedBytes - 1)" }
        return response
    }
}
