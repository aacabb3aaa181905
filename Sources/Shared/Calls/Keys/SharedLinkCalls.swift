import HearthWire

/// Links to pages of the console for people without an account.
package enum SharedLinkCalls {
    package static let list = Call<Lane.Read, NoBody, ConsoleBodies.SharedLinkList>(
        .get, "hearth/v1/projects/{project}/sharedLinks", .publisher, .console,
        "List the links that show single pages.")

    package static let create = Call<Lane.Change, ConsoleBodies.CreateSharedLinkRequest, ConsoleBodies.SharedLink>(
        .post, "hearth/v1/projects/{project}/sharedLinks", .publisher, .console,
        "Make a link that shows a release or an experiment, which is shown only here.")

    package static let end = Call<Lane.Change, NoBody, ConsoleBodies.SharedLink>(
        .delete, "hearth/v1/projects/{project}/sharedLinks/{link}", .publisher, .console,
        "Revoke a link.")
}
