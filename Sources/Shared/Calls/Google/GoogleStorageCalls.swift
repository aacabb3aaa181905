/// The calls of Google's storage clients that upload a model, and those that they get a clear refusal for. The server answers
/// them in Google's form.
package enum GoogleStorageCalls {
    private static let bucket = "storage/v1/b/{bucket}"
    private static let object = "storage/v1/b/{bucket}/o/{object}"
    private static let upload = CallQuery("upload_id", "The upload, from the answer that began it.")

    package static let getBucket = Call<Lane.LookUp, NoBody, NoBody>(
        .get, bucket, .viewer, .storage, "Show the project's bucket.")

    package static let list = Call<Lane.Read, NoBody, NoBody>(
        .get, bucket + "/o", .viewer, .storage, "List the uploaded files.", query: CallQuery.pages)

    package static let get = Call<Lane.Stream, NoBody, NoBody>(
        .get, object, .viewer, .storage, "Show an uploaded file; alt=media answers its bytes.",
        query: [CallQuery("alt", "media for the bytes.")])

    package static let download = Call<Lane.Stream, NoBody, NoBody>(
        .get, "download/" + object, .viewer, .storage, "The bytes of an uploaded file.")

    package static let delete = Call<Lane.Change, NoBody, NoBody>(
        .delete, object, .publisher, .storage, "Delete an uploaded file that no version uses.")

    package static let send = Call<Lane.Stream, NoBody, NoBody>(
        .post, "upload/" + bucket + "/o", .publisher, .storage, "Upload a file.",
        query: [
            CallQuery("uploadType", "media, multipart or resumable."), CallQuery("name", "The name of the file."),
        ])

    package static let sendPart = Call<Lane.Stream, NoBody, NoBody>(
        .put, "upload/" + bucket + "/o", .publisher, .storage, "Send a part of an upload.", query: [upload])

    package static let cancel = Call<Lane.Change, NoBody, NoBody>(
        .delete, "upload/" + bucket + "/o", .publisher, .storage, "Cancel an upload.", query: [upload])

    /// What Hearth does not support.
    package static let listBuckets = refused(.get, "storage/v1/b")
    package static let createBucket = refused(.post, "storage/v1/b")
    package static let deleteBucket = refused(.delete, bucket)
    package static let patchBucket = refused(.patch, bucket)
    package static let putBucket = refused(.put, bucket)
    package static let patchObject = refused(.patch, object)
    package static let putObject = refused(.put, object)
    package static let compose = refused(.post, object + "/compose")
    package static let rewrite = refused(.post, object + "/rewriteTo/b/{toBucket}/o/{toObject}")
    package static let copy = refused(.post, object + "/copyTo/b/{toBucket}/o/{toObject}")
    package static let batch = refused(.post, "batch/storage/v1")

    private static func refused(_ method: CallMethod, _ path: String) -> Call<Lane.Now, NoBody, NoBody> {
        Call(method, path, .viewer, .storage, "Not offered: always refused, with the reason.")
    }
}
