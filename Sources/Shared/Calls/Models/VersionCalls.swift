import HearthWire

/// The versions of a model.
package enum VersionCalls {
    package static let list = Call<Lane.Read, NoBody, ReleaseBodies.VersionList>(
        .get, "hearth/v1/projects/{project}/models/{model}/versions", .viewer, .models,
        "List the versions of a model.",
        query: [CallQuery("contracts", "Whether versions show their contracts: true (default) or false.")])

    package static let get = Call<Lane.LookUp, NoBody, ReleaseBodies.Version>(
        .get, "hearth/v1/projects/{project}/models/{model}/versions/{version}", .viewer, .models,
        "Show a version, by its number or an alias.")

    package static let update = Call<Lane.Change, ReleaseBodies.UpdateVersionRequest, ReleaseBodies.Version>(
        .patch, "hearth/v1/projects/{project}/models/{model}/versions/{version}", .publisher, .models,
        "Change the note of a version, which is named by its number or an alias.")

    package static let create = Call<Lane.Change, ReleaseBodies.CreateVersionRequest, ReleaseBodies.Version>(
        .post, "hearth/v1/projects/{project}/models/{model}/versions", .publisher, .models,
        "Add a version without releasing it.")

    package static let run = Call<Lane.Stream, RawBody, TryBodies.Answers>(
        .post, "hearth/v1/projects/{project}/models/{model}/versions/{version}:try", .viewer, .models,
        "Run a version on an image of the caller. Nothing is stored.",
        query: [
            CallQuery(
                "threshold",
                "The least confidence of an answer, 0 to 1, with up to 100 answers. Without it: 20 answers, and boxes above 0.5."
            ),
            CallQuery(
                "processing",
                "How the image goes in and what comes out in this run, where it is not as the file says: JSON of ImageProcessingBody, at most 2048 bytes."
            ),
        ],
        requestMedia: "application/octet-stream",
        answer: "What the version answers to the image.")

    package static let compare = Call<Lane.LookUp, NoBody, VersionComparison>(
        .get, "hearth/v1/projects/{project}/models/{model}/versions/{version}:compare", .viewer, .models,
        "Compare the contract, size and measurements of a version with those of another one.",
        query: [CallQuery("with", "The version to compare with, by its number or an alias.")])
}
