package import HearthWire

/// A/B tests.
package enum ExperimentCalls {
    package static let list = Call<Lane.Read, NoBody, ExperimentBodies.List>(
        .get, "hearth/v1/projects/{project}/experiments", .viewer, .experiments,
        "List the experiments, newest first.",
        query: [
            CallQuery("model", "Only those that vary this model: a display name or an id."),
            CallQuery("parameter", "Only those that set this parameter."),
            CallQuery("state", "Only draft, running, stopped or rolledOut ones."),
        ])

    package static let get = Call<Lane.Read, NoBody, ExperimentBodies.Experiment>(
        .get, "hearth/v1/projects/{project}/experiments/{experiment}", .viewer, .experiments,
        "Show an experiment.")

    package static let results = Call<Lane.Read, NoBody, ExperimentBodies.Results>(
        .get, "hearth/v1/projects/{project}/experiments/{experiment}/results", .viewer, .experiments,
        "The results of an experiment so far.",
        query: [.maxAge])

    package static let history = Call<Lane.Read, NoBody, ExperimentBodies.History>(
        .get, "hearth/v1/projects/{project}/experiments/{experiment}/history", .viewer, .experiments,
        "How the goal of an experiment moved over time.")

    package static let data = Call<Lane.Read, NoBody, RawBody>(
        .get, "hearth/v1/projects/{project}/experiments/{experiment}/data", .publisher, .experiments,
        "The numbers behind the results.",
        answerMedia: "text/csv")

    package static let create = Call<Lane.Change, ExperimentBodies.Definition, ExperimentBodies.Experiment>(
        .post, "hearth/v1/projects/{project}/experiments", .publisher, .experiments,
        "Create an experiment as a draft.")

    package static let replace = Call<Lane.Change, ExperimentBodies.Definition, ExperimentBodies.Experiment>(
        .put, "hearth/v1/projects/{project}/experiments/{experiment}", .publisher, .experiments,
        "Replace the definition of a draft.")

    package static let delete = Call<Lane.Change, NoBody, ExperimentBodies.Experiment>(
        .delete, "hearth/v1/projects/{project}/experiments/{experiment}", .publisher, .experiments,
        "Delete an experiment that does not run.")

    package static let start = Call<Lane.Change, ExperimentBodies.StartRequest, ExperimentBodies.Experiment>(
        .post, "hearth/v1/projects/{project}/experiments/{experiment}:start", .publisher, .experiments,
        "Start a draft.")

    package static let stop = Call<Lane.Change, ExperimentBodies.StopRequest, ExperimentBodies.Experiment>(
        .post, "hearth/v1/projects/{project}/experiments/{experiment}:stop", .publisher, .experiments,
        "Stop an experiment for good.")

    package static let rollOut = Call<Lane.Change, ExperimentBodies.RollOutRequest, ExperimentBodies.Experiment>(
        .post, "hearth/v1/projects/{project}/experiments/{experiment}:rollOut", .publisher, .experiments,
        "Give a variant to all devices.")

    package static let events = Call<Lane.Read, NoBody, EventBodies.Summary>(
        .get, "hearth/v1/projects/{project}/events", .viewer, .experiments,
        "The events of the last days, counted.")
}
