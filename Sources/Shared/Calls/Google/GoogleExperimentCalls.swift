/// Experiments, as Google's tools call them.
package enum GoogleExperimentCalls {
    private static let collection = "v1/projects/{project}/namespaces/{namespace}/experiments"

    package static let list = Call<Lane.Read, NoBody, NoBody>(
        .get, collection, .viewer, .experiments, "List the experiments for Google's tools.", query: CallQuery.pages)

    package static let get = Call<Lane.LookUp, NoBody, NoBody>(
        .get, collection + "/{experiment}", .viewer, .experiments, "Show an experiment for Google's tools.")

    package static let delete = Call<Lane.Change, NoBody, NoBody>(
        .delete, collection + "/{experiment}", .publisher, .experiments, "Delete an experiment with Google's tools.")
}
