import HearthWire

/// What a follower copies.
package enum MirrorCalls {
    package static let records = Call<Lane.Read, NoBody, RawBody>(
        .get, "hearth/v1/server/mirror", .mirror, .server,
        "All records that a follower copies. Conditional, with ETag and If-None-Match.",
        answerMedia: "application/json")

    package static let file = Call<Lane.Stream, NoBody, RawBody>(
        .get, "hearth/v1/server/mirror/files/{sha256}", .mirror, .server,
        "The bytes of a version, also a part of them.",
        answerMedia: "application/octet-stream")

    package static let installations = Call<Lane.Read, NoBody, MirrorBodies.Installations>(
        .get, "hearth/v1/server/mirror/installations", .mirror, .server,
        "A page of installations, in order of their creation.",
        query: [
            CallQuery("created", "Microseconds since 1970: of the last one of the page before."),
            CallQuery("project", "The project of that one."), CallQuery("fid", "The id of that one."),
        ])

    package static let addInstallations = Call<Lane.Change, MirrorBodies.Installations, MirrorBodies.Added>(
        .post, "hearth/v1/server/mirror/installations", .mirror, .server,
        "Add installations that registered at a follower.")
}
