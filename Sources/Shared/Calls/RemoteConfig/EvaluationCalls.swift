import HearthWire

/// What a device would get of a template.
package enum EvaluationCalls {
    package static let ofProject = Call<Lane.Read, TemplateEvaluationBodies.Request, TemplateEvaluationBodies.Result>(
        .post, "hearth/v1/projects/{project}/remoteConfig:evaluate", .viewer, .remoteConfig,
        "What a device would get of a version, or of a template that need not be published, and why.")

    package static let ofNamespace = Call<Lane.Read, TemplateEvaluationBodies.Request, TemplateEvaluationBodies.Result>(
        .post, "hearth/v1/projects/{project}/namespaces/{namespace}/remoteConfig:evaluate", .viewer, .remoteConfig,
        "What a device would get of a version, or of a template that need not be published, and why.")
}
