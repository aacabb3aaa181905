import HearthWire

/// Models, as Google's services have them, and who has them.
package enum ModelCalls {
    package static let list = Call<Lane.Read, NoBody, ModelList>(
        .get, "v1beta2/projects/{project}/models", .viewer, .models,
        "List the models.",
        query: [
            CallQuery("filter", "Such as displayName=flowers or tags:beta."),
            CallQuery("pageSize", "Most items of the answer."),
            CallQuery("pageToken", "Where the answer begins: nextPageToken of the one before."),
        ])

    package static let get = Call<Lane.LookUp, NoBody, ModelResource>(
        .get, "v1beta2/projects/{project}/models/{model}", .viewer, .models,
        "Show a model.")

    package static let create = Call<Lane.Change, ModelResource, OperationResource>(
        .post, "v1beta2/projects/{project}/models", .publisher, .models,
        "Create a model from an uploaded file.")

    package static let update = Call<Lane.Change, ModelResource, OperationResource>(
        .patch, "v1beta2/projects/{project}/models/{model}", .publisher, .models,
        "Change a model, or give it a new file.",
        query: [CallQuery("updateMask", "The changed members, such as tags,state.published.")])

    package static let delete = Call<Lane.Change, NoBody, NoBody>(
        .delete, "v1beta2/projects/{project}/models/{model}", .publisher, .models,
        "Delete a model and its versions.")

    package static let operation = Call<Lane.LookUp, NoBody, OperationResource>(
        .get, "v1beta2/projects/{project}/operations/{operation}", .viewer, .models,
        "The state of a change that validates a file.")

    package static let names = Call<Lane.Read, NoBody, SearchBodies.ModelNames>(
        .get, "hearth/v1/projects/{project}/modelNames", .viewer, .projects,
        "List the ids and names of all models, of any number.")

    package static let devices = Call<Lane.Read, NoBody, DeviceBodies.Report>(
        .get, "hearth/v1/projects/{project}/models/{model}/devices", .viewer, .models,
        "Estimate how many devices have which version of a model.",
        query: [.maxAge])

    package static let recentDevices = Call<Lane.Read, NoBody, DeviceBodies.RecentList>(
        .get, "hearth/v1/projects/{project}/models/{model}/recentDevices", .viewer, .models,
        "List installations whose last calls for a model the server remembers.",
        query: [
            CallQuery("version", "Only those that have this version, by its number."),
            CallQuery("os", "Only those of this operating system."),
            CallQuery("appVersion", "Only those of this app version."),
            CallQuery("language", "Only those of this language."), CallQuery("country", "Only those of this country."),
            CallQuery("tag", "Only those with this tag."), CallQuery("pageSize", "1 to 1000; 100 by default."),
        ])

    package static let health = Call<Lane.Read, NoBody, HealthBodies.Report>(
        .get, "hearth/v1/projects/{project}/models/{model}/health", .viewer, .models,
        "Show what devices report about the versions of a model.",
        query: [
            CallQuery("version", "Only this version, by its number or an alias."),
            CallQuery("hours", "The last hours, 1 to 2160; 24 by default."),
        ])
}
