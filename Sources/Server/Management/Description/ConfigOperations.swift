import HearthCalls
import HearthWire

extension OperationDescription {
    /// Each call exists with and without a namespace in its path.
    static var configOperations: [String: OperationDescription] {
        var table: [String: OperationDescription] = [
            "GET v1/projects/{project}/namespaces/{namespace}/serverRemoteConfig": admin(
                "remote config", "The template for servers, with conditions as trees.")
        ]
        for root in ["remoteConfig", "namespaces/{namespace}/remoteConfig"] {
            table["POST hearth/v1/projects/{project}/\(root):evaluate"] = admin(
                "remote config",
                "What a device would get of a version, or of a template that need not be published, and why.",
                TemplateEvaluationBodies.Result.self, body: TemplateEvaluationBodies.Request.self)
        }
        for root in ["v1/projects/{project}/remoteConfig", "v1/projects/{project}/namespaces/{namespace}/remoteConfig"]
        {
            table["GET \(root)"] = admin(
                "remote config", "The active template, or another version. The ETag names it.",
                RemoteConfigTemplate.self,
                query: [Query(name: "versionNumber", description: "A version; without it, the active one.")])
            table["GET \(root):listVersions"] = admin(
                "remote config", "List the versions of the template, newest first.",
                query: Query.pages + [
                    Query(name: "endVersionNumber", description: "The newest version to list."),
                    Query(name: "startTime", description: "Versions from this time on, RFC 3339."),
                    Query(name: "endTime", description: "Versions before this time, RFC 3339."),
                ])
            var defaults = admin(
                "remote config", "The default values as a document for apps.",
                query: [Query(name: "format", description: "XML, PLIST or JSON.")])
            defaults.responseMedia = "*/*"
            table["GET \(root):downloadDefaults"] = defaults
            table["PUT \(root)"] = admin(
                "remote config",
                "Make a template the active one. Needs If-Match with the ETag of the one before, or *.",
                RemoteConfigTemplate.self, body: RemoteConfigTemplate.self,
                query: [Query(name: "validateOnly", description: "true only checks the template.")])
            table["POST \(root):rollback"] = admin(
                "remote config", "Make a new version with the content of an old one.", RemoteConfigTemplate.self,
                query: [Query(name: "versionNumber", description: "The old version.")])
            table["POST \(root):importVersion"] = admin(
                "remote config",
                "Put a version of another service's template into the history, with its number, time and author.",
                TemplateImportBodies.Result.self, body: RemoteConfigTemplate.self,
                query: [
                    Query(name: "activate", description: "true lets it replace an active version with a lower number.")
                ])
        }
        return table
    }

    private static let experiments = "hearth/v1/projects/{project}/experiments"
    private static let googleExperiments = "v1/projects/{project}/namespaces/{namespace}/experiments"

    static var experimentOperations: [String: OperationDescription] {
        [
            "GET \(experiments)": admin(
                "experiments", "List the experiments, newest first.", ExperimentBodies.List.self,
                query: [
                    Query(name: "model", description: "Only those that vary this model: a display name or an id."),
                    Query(name: "parameter", description: "Only those that set this parameter."),
                    Query(name: "state", description: "Only draft, running, stopped or rolledOut ones."),
                ]),
            "GET \(experiments)/{experiment}": admin(
                "experiments", "Show an experiment.", ExperimentBodies.Experiment.self),
            "GET \(experiments)/{experiment}/results": admin(
                "experiments", "The results of an experiment so far.", ExperimentBodies.Results.self,
                query: [Query.maxAge]),
            "GET \(experiments)/{experiment}/history": admin(
                "experiments", "How the goal of an experiment moved over time.", ExperimentBodies.History.self),
            "GET \(experiments)/{experiment}/data": OperationDescription(
                tag: "experiments", summary: "The numbers behind the results.", access: .admin,
                responseMedia: "text/csv"),
            "POST \(experiments)": admin(
                "experiments", "Create an experiment as a draft.", ExperimentBodies.Experiment.self,
                body: ExperimentBodies.Definition.self),
            "PUT \(experiments)/{experiment}": admin(
                "experiments", "Replace the definition of a draft.", ExperimentBodies.Experiment.self,
                body: ExperimentBodies.Definition.self),
            "DELETE \(experiments)/{experiment}": admin("experiments", "Delete an experiment that does not run."),
            "POST \(experiments)/{experiment}:start": admin(
                "experiments", "Start a draft.", ExperimentBodies.Experiment.self,
                body: ExperimentBodies.StartRequest.self),
            "POST \(experiments)/{experiment}:stop": admin(
                "experiments", "Stop an experiment for good.", ExperimentBodies.Experiment.self,
                body: ExperimentBodies.StopRequest.self),
            "POST \(experiments)/{experiment}:rollOut": admin(
                "experiments", "Give a variant to all devices.", ExperimentBodies.Experiment.self,
                body: ExperimentBodies.RollOutRequest.self),
            "GET \(experiments)/{experiment}/pins": admin(
                "experiments", "List the pins of an experiment.", PinBodies.List.self),
            "POST \(experiments)/{experiment}:pin": admin(
                "experiments", "Give an installation, or the devices with a tag, a variant.", PinBodies.Pin.self,
                body: PinBodies.PinVariantRequest.self),
            "POST \(experiments)/{experiment}:unpin": admin(
                "experiments", "Remove a pin of an experiment.", PinBodies.Pin.self,
                body: PinBodies.UnpinRequest.self),
            "GET hearth/v1/projects/{project}/events": admin(
                "experiments", "The events of the last days, counted.", EventBodies.Summary.self),
            "GET \(googleExperiments)": admin(
                "experiments", "List the experiments for Google's tools.", query: Query.pages),
            "GET \(googleExperiments)/{experiment}": admin("experiments", "Show an experiment for Google's tools."),
            "DELETE \(googleExperiments)/{experiment}": admin(
                "experiments", "Delete an experiment with Google's tools."),
        ]
    }
}
