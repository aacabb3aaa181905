import HearthCatalog
import HearthHTTP
import HearthRouting
import HearthWire

/// How one of the two upload APIs, Google's or Hearth's own, answers.
struct UploadResponder: Sendable {
    /// How long the answer to a complete upload waits for the verdict on its bytes.
    let waitSeconds: Double
    /// The answer to a complete upload.
    let success: @Sendable (UploadedObject) throws -> Response
    let failure: @Sendable (RequestHead, any Error) -> Response

    func respond(_ head: RequestHead, _ body: () throws -> Response) -> Response {
        do {
            return try body()
        } catch {
            return failure(head, error)
        }
    }

    /// The progress of an upload: 308, and the range of durable bytes.
    static func progress(_ receivedBytes: UInt64) -> Response {
        var response = Response(status: 308)
        if receivedBytes > 0 { response.headers["Range"] = "bytes=0-\(receivedBytes - 1)" }
        return response
    }
}
