import HearthCalls
import HearthCatalog
import HearthHTTP
import HearthRouting
import HearthWire

/// Calls of Google's storage API that other tools make and Hearth does not support. The refusal has the API's own form
/// and says what is missing. Its status is 405, because the tools repeat a call after 501 and similar ones.
struct UnsupportedStorageRoutes {
    /// A call that Hearth does not support.
    private struct Gap {
        var call: Call<Lane.Now, NoBody, NoBody>
        /// "Hearth does not … ".
        var what: String
        /// The methods that the path supports.
        var allowed = ""
    }

    private let uploads: UploadService
    private let responder: UploadResponder

    init(_ uploads: UploadService, _ responder: UploadResponder) {
        self.uploads = uploads
        self.responder = responder
    }

    private static let gaps = [
        Gap(call: GoogleStorageCalls.listBuckets, what: "list buckets"),
        Gap(call: GoogleStorageCalls.createBucket, what: "create buckets: use any valid name"),
        Gap(call: GoogleStorageCalls.deleteBucket, what: "remove buckets", allowed: "GET, HEAD"),
        Gap(call: GoogleStorageCalls.patchBucket, what: "change buckets", allowed: "GET, HEAD"),
        Gap(call: GoogleStorageCalls.putBucket, what: "change buckets", allowed: "GET, HEAD"),
        Gap(
            call: GoogleStorageCalls.patchObject, what: "change the metadata of an object: upload it again",
            allowed: "DELETE, GET, HEAD"),
        Gap(
            call: GoogleStorageCalls.putObject, what: "change the metadata of an object: upload it again",
            allowed: "DELETE, GET, HEAD"),
        Gap(call: GoogleStorageCalls.compose, what: "compose objects: upload the file whole"),
        Gap(
            call: GoogleStorageCalls.rewrite,
            what: "copy objects: upload the file under the other name"),
        Gap(
            call: GoogleStorageCalls.copy,
            what: "copy objects: upload the file under the other name"),
        Gap(call: GoogleStorageCalls.batch, what: "accept batches of calls: send them one by one"),
    ]

    var routes: [CallRoute] {
        Self.gaps.map { gap in
            CallRoute(gap.call) { head, _ in
                .answer(
                    responder.respond(head) {
                        _ = try uploads.context.storageCall(head, atLeast: .viewer)
                        let error = APIError(.unimplemented, "Hearth does not \(gap.what).", httpStatus: 405)
                        var response = responder.failure(head, error)
                        response.headers["Allow"] = gap.allowed
                        return response
                    })
            }
        }
    }

    /// The answer to calls of Google's XML API, which signed links and some uploads in parts use; nil for other calls.
    /// Its clients can read errors in XML only.
    static func answer(_ head: RequestHead) -> Response? {
        let marks = ["X-Goog-Signature", "GoogleAccessId", "uploads", "uploadId"]
        guard head.segments.count >= 2, marks.contains(where: { head.query.first($0) != nil }) else { return nil }
        let text = """
            <?xml version='1.0' encoding='UTF-8'?><Error><Code>NotImplemented</Code><Message>Hearth has no signed links to \
            objects and no uploads in parts by XML. Use the JSON interface with the account's token.</Message></Error>
            """
        return Response(
            status: 501, headers: ["Content-Type": "application/xml; charset=UTF-8"], body: .bytes(Array(text.utf8)))
    }
}
