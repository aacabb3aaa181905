package import HearthWire

/// Remote Config's management, as Google's tools call it: each call exists with and without a namespace in its path.
package struct GoogleTemplateCalls: Sendable {
    package static let ofProject = GoogleTemplateCalls("v1/projects/{project}/remoteConfig")
    package static let ofNamespace = GoogleTemplateCalls("v1/projects/{project}/namespaces/{namespace}/remoteConfig")

    package let get: Call<Lane.Read, NoBody, RemoteConfigTemplate>
    package let listVersions: Call<Lane.Read, NoBody, NoBody>
    package let downloadDefaults: Call<Lane.Read, NoBody, RawBody>
    package let put: Call<Lane.Change, RemoteConfigTemplate, RemoteConfigTemplate>
    package let rollBack: Call<Lane.Change, NoBody, RemoteConfigTemplate>
    package let importVersion: Call<Lane.Change, RemoteConfigTemplate, TemplateImportBodies.Result>

    /// The template for servers, which exists only with a namespace.
    package static let getForServers = Call<Lane.Read, NoBody, NoBody>(
        .get, "v1/projects/{project}/namespaces/{namespace}/serverRemoteConfig", .viewer, .remoteConfig,
        "The template for servers, with conditions as trees.")

    private init(_ root: String) {
        get = Call(
            .get, root, .viewer, .remoteConfig, "The active template, or another version. The ETag names it.",
            query: [CallQuery("versionNumber", "A version; without it, the active one.")])
        listVersions = Call(
            .get, root + ":listVersions", .viewer, .remoteConfig, "List the versions of the template, newest first.",
            query: CallQuery.pages + [
                CallQuery("endVersionNumber", "The newest version to list."),
                CallQuery("startTime", "Versions from this time on, RFC 3339."),
                CallQuery("endTime", "Versions before this time, RFC 3339."),
            ])
        downloadDefaults = Call(
            .get, root + ":downloadDefaults", .viewer, .remoteConfig, "The default values as a document for apps.",
            query: [CallQuery("format", "XML, PLIST or JSON.")], answerMedia: "*/*")
        put = Call(
            .put, root, .publisher, .remoteConfig,
            "Make a template the active one. Needs If-Match with the ETag of the one before, or *.",
            query: [CallQuery("validateOnly", "true only checks the template.")])
        rollBack = Call(
            .post, root + ":rollback", .publisher, .remoteConfig,
            "Make a new version with the content of an old one.",
            query: [CallQuery("versionNumber", "The old version.")])
        // It writes times and authors of its own choice, which only an owner may.
        importVersion = Call(
            .post, root + ":importVersion", .owner, .remoteConfig,
            "Put a version of another service's template into the history, with its number, time and author.",
            query: [CallQuery("activate", "true lets it replace an active version with a lower number.")])
    }
}
