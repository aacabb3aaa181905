import HearthWire

/// Which version devices get.
package enum ReleaseCalls {
    package static let list = Call<Lane.Read, NoBody, ReleaseBodies.ReleaseList>(
        .get, "hearth/v1/projects/{project}/models/{model}/releases", .viewer, .releases,
        "List the releases of a model.")

    package static let get = Call<Lane.LookUp, NoBody, ReleaseBodies.Release>(
        .get, "hearth/v1/projects/{project}/models/{model}/releases/{release}", .viewer, .releases,
        "Show a release.")

    package static let create = Call<Lane.Change, ReleaseBodies.CreateRequest, ReleaseBodies.Release>(
        .post, "hearth/v1/projects/{project}/models/{model}/releases", .publisher, .releases,
        "Release a version to a share of the devices.")

    package static let update = Call<Lane.Change, ReleaseBodies.UpdateRequest, ReleaseBodies.Release>(
        .patch, "hearth/v1/projects/{project}/models/{model}/releases/{release}", .publisher, .releases,
        "Change a release.")

    package static let pause = Call<Lane.Change, NoBody, ReleaseBodies.Release>(
        .post, "hearth/v1/projects/{project}/models/{model}/releases/{release}:pause", .publisher, .releases,
        "Pause the schedule of a release.")

    package static let resume = Call<Lane.Change, NoBody, ReleaseBodies.Release>(
        .post, "hearth/v1/projects/{project}/models/{model}/releases/{release}:resume", .publisher, .releases,
        "Go on with the schedule of a release.")

    package static let end = Call<Lane.Change, NoBody, ReleaseBodies.Release>(
        .post, "hearth/v1/projects/{project}/models/{model}/releases/{release}:end", .publisher, .releases,
        "Stop a release for good.")

    package static let rollBack = Call<Lane.Change, ReleaseBodies.RollbackRequest, ReleaseBodies.Release>(
        .post, "hearth/v1/projects/{project}/models/{model}:rollback", .publisher, .releases,
        "Make the release before the current one.")

    package static let explain = Call<Lane.Read, NoBody, ReleaseBodies.Explanation>(
        .get, "hearth/v1/projects/{project}/models/{model}:explain", .viewer, .releases,
        "What an installation gets of a model, and why.",
        query: [
            CallQuery(
                "installation", "The id of the installation, or its name in logs while the server remembers its calls."),
            CallQuery("os", "Its operating system, in place of that of its last call."),
            CallQuery("appVersion", "Its app version, in place of that of its last call."),
            CallQuery("language", "Its language, in place of that of its last call."),
            CallQuery("country", "Its country, in place of that of its last call."),
            CallQuery("tag", "A tag, in place of those of its last call; several times for several."),
        ])
}
