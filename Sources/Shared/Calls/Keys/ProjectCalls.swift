import HearthWire

/// Projects.
package enum ProjectCalls {
    package static let list = Call<Lane.LookUp, NoBody, ProjectBodies.List>(
        .get, "hearth/v1/projects", .signedIn, .projects,
        "List the projects of the caller.")

    package static let create = Call<Lane.Change, ProjectBodies.CreateRequest, ProjectBodies.CreateResponse>(
        .post, "hearth/v1/projects", .serverOperator, .projects,
        "Create a project.")

    package static let get = Call<Lane.Read, NoBody, ProjectBodies.Resource>(
        .get, "hearth/v1/projects/{project}", .viewer, .projects,
        "Show a project.")

    package static let delete = Call<Lane.Change, NoBody, ProjectBodies.Resource>(
        .delete, "hearth/v1/projects/{project}", .serverOperator, .projects,
        "Delete a project without models.")

    package static let overview = Call<Lane.Read, NoBody, OverviewBodies.Overview>(
        .get, "hearth/v1/projects/{project}/overview", .viewer, .projects,
        "What people should know about a project now.")

    package static let search = Call<Lane.Read, NoBody, SearchBodies.Results>(
        .get, "hearth/v1/projects/{project}/search", .viewer, .projects,
        "Find models, parameters, conditions, experiments and an installation.",
        query: [CallQuery("q", "1 to 100 characters, looked for as they are.")])
}
