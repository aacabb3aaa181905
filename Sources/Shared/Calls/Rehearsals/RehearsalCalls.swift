package import HearthWire

/// Versions compared on images before they are released.
package enum RehearsalCalls {
    package static let listImages = Call<Lane.Read, NoBody, RehearsalBodies.ImageList>(
        .get, "hearth/v1/projects/{project}/models/{model}/images", .publisher, .rehearsals,
        "List the images for rehearsals of a model.")

    package static let getImage = Call<Lane.Read, NoBody, RawBody>(
        .get, "hearth/v1/projects/{project}/models/{model}/images/{image}", .publisher, .rehearsals,
        "The bytes of an image.",
        answerMedia: "application/octet-stream")

    package static let putImage = Call<Lane.Change, RawBody, RehearsalBodies.Image>(
        .put, "hearth/v1/projects/{project}/models/{model}/images/{image}", .publisher, .rehearsals,
        "Add an image, or replace it.",
        query: [CallQuery("label", "The expected answer; none without it.")],
        requestMedia: "application/octet-stream")

    package static let deleteImage = Call<Lane.Change, NoBody, NoBody>(
        .delete, "hearth/v1/projects/{project}/models/{model}/images/{image}", .publisher, .rehearsals,
        "Delete an image.")

    package static let list = Call<Lane.Read, NoBody, RehearsalBodies.List>(
        .get, "hearth/v1/projects/{project}/models/{model}/rehearsals", .publisher, .rehearsals,
        "List the rehearsals of a model.")

    package static let get = Call<Lane.Read, NoBody, RehearsalBodies.Rehearsal>(
        .get, "hearth/v1/projects/{project}/models/{model}/rehearsals/{rehearsal}", .publisher, .rehearsals,
        "Show a rehearsal with all images.")

    package static let start = Call<Lane.Change, RehearsalBodies.StartRequest, RehearsalBodies.Rehearsal>(
        .post, "hearth/v1/projects/{project}/models/{model}/rehearsals", .publisher, .rehearsals,
        "Compare a version with the released one on the images.")
}
