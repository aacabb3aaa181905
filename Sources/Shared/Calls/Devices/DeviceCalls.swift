package import HearthWire

/// What devices ask.
package enum DeviceCalls {
    package static let download = Call<Lane.Now, NoBody, DownloadInfo>(
        .get, "v1beta2/projects/{project}/models/{model}:download", .device, .devices,
        "Where the version of a model is that this device should have. The ETag is its SHA-256.",
        answer: "The place; 304 if the device has it already.")

    package static let file = Call<Lane.Stream, NoBody, RawBody>(
        .get, "hearth/v1/files/{sha256}", .anyone, .devices,
        "The bytes of a version, by a signed link.",
        query: [CallQuery("expires", "From the link."), CallQuery("signature", "From the link.")],
        answerMedia: "application/octet-stream")

    package static let register = Call<
        Lane.Change, InstallationBodies.CreateRequest, InstallationBodies.CreateResponse
    >(
        .post, "v1/projects/{project}/installations", .apiKey, .devices,
        "Register an installation of an app.")

    package static let renewToken = Call<Lane.LookUp, InstallationBodies.GenerateRequest, InstallationBodies.AuthToken>(
        .post, "v1/projects/{project}/installations/{fid}/authTokens:generate", .apiKey, .devices,
        "A new token of an installation.")

    package static let deleteInstallation = Call<Lane.Change, NoBody, NoBody>(
        .delete, "v1/projects/{project}/installations/{fid}", .apiKey, .devices,
        "Delete an installation.")

    package static let fetchConfig = Call<Lane.Now, NoBody, NoBody>(
        .post, "v1/projects/{project}/namespaces/{namespace}:fetch", .device, .devices,
        "The Remote Config values of this device.")

    package static let listenForConfig = Call<Lane.Stream, NoBody, NoBody>(
        .post, "v1/projects/{project}/namespaces/{namespace}:streamFetchInvalidations", .device, .devices,
        "A stream with the numbers of new templates.")

    package static let sendEvents = Call<Lane.Change, EventBodies.Batch, EventBodies.Response>(
        .post, "hearth/v1/projects/{project}/events", .device, .devices,
        "Send events for A/B tests.")
}
