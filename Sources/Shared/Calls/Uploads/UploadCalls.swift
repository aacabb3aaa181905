import HearthWire

/// Files on their way to the server.
package enum UploadCalls {
    package static let send = Call<Lane.Stream, RawBody, UploadResource>(
        .post, "hearth/v1/projects/{project}/uploads", .publisher, .uploads,
        "Upload a file, or begin an upload in parts.",
        query: [
            CallQuery("name", "The name of the file."), CallQuery("resumable", "true begins an upload in parts."),
        ],
        requestMedia: "application/octet-stream")

    package static let sendPart = Call<Lane.Stream, RawBody, UploadResource>(
        .put, "hearth/v1/projects/{project}/uploads", .publisher, .uploads,
        "Send a part of an upload.",
        query: [CallQuery("upload_id", "The upload, from the answer that began it.")],
        requestMedia: "application/octet-stream",
        answer: "The file is complete; 308 with Range while parts are missing.")

    package static let pack = Call<Lane.Stream, UploadBodies.PackRequest, UploadResource>(
        .post, "hearth/v1/projects/{project}/uploads:pack", .publisher, .uploads,
        "Pack an uploaded zip of a model with its labels into one model file.")

    package static let list = Call<Lane.LookUp, NoBody, UploadBodies.List>(
        .get, "hearth/v1/projects/{project}/uploads", .publisher, .uploads,
        "List the unfinished uploads.")

    package static let cancel = Call<Lane.Change, NoBody, NoBody>(
        .delete, "hearth/v1/projects/{project}/uploads", .publisher, .uploads,
        "Cancel an upload.",
        query: [CallQuery("upload_id", "The upload, from the answer that began it.")])

    package static let cancelNamed = Call<Lane.Change, NoBody, UploadBodies.Unfinished>(
        .delete, "hearth/v1/projects/{project}/uploads/{upload}", .publisher, .uploads,
        "Cancel an upload by its id.")
}
