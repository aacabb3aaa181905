import HearthWire

/// Names for versions.
package enum AliasCalls {
    package static let list = Call<Lane.Read, NoBody, AliasBodies.List>(
        .get, "hearth/v1/projects/{project}/models/{model}/aliases", .viewer, .models,
        "List the aliases of versions.")

    package static let put = Call<Lane.Change, AliasBodies.PutRequest, AliasBodies.Alias>(
        .put, "hearth/v1/projects/{project}/models/{model}/aliases/{alias}", .publisher, .models,
        "Give an alias to a version, and take it from the version that has it.")

    package static let delete = Call<Lane.Change, NoBody, AliasBodies.Alias>(
        .delete, "hearth/v1/projects/{project}/models/{model}/aliases/{alias}", .publisher, .models,
        "Remove an alias.")
}
