import HearthWire

/// Versions and releases of a model, by its resource name `projects/{project}/models/{id}`.
extension AdminClient {
    func versions(of model: String) throws -> [ReleaseBodies.Version] {
        try call(ReleaseBodies.VersionList.self, .get("/hearth/v1/\(model)/versions")).versions ?? []
    }

    func version(_ number: Int, of model: String) throws -> ReleaseBodies.Version {
        try call(.get("/hearth/v1/\(model)/versions/\(number)"))
    }

    /// Makes a version of an uploaded file, releases nothing, and waits for the verdict on it.
    func createVersion(of model: String, source: String) throws -> ReleaseBodies.Version {
        let body = ReleaseBodies.CreateVersionRequest(source: source)
        let made: ReleaseBodies.Version = try call(.change("POST", "/hearth/v1/\(model)/versions", body: body))
        return try poll(
            for: made, isDone: { $0.verdict != "pending" }, next: { try self.version($0.version, of: model) })
    }

    /// Newest first.
    func releases(of model: String) throws -> [ReleaseBodies.Release] {
        try call(ReleaseBodies.ReleaseList.self, .get("/hearth/v1/\(model)/releases")).releases ?? []
    }

    func release(_ number: Int, of model: String) throws -> ReleaseBodies.Release {
        try call(.get("/hearth/v1/\(model)/releases/\(number)"))
    }

    func createRelease(of model: String, _ body: ReleaseBodies.CreateRequest) throws -> ReleaseBodies.Release {
        try call(.change("POST", "/hearth/v1/\(model)/releases", body: body))
    }

    func updateRelease(
        _ number: Int, of model: String, _ body: ReleaseBodies.UpdateRequest
    ) throws -> ReleaseBodies.Release {
        try call(.change("PATCH", "/hearth/v1/\(model)/releases/\(number)", body: body))
    }

    enum ReleaseAction: String {
        case pause
        case resume
        case end
    }

    func change(_ number: Int, of model: String, _ action: ReleaseAction) throws -> ReleaseBodies.Release {
        try call(.change("POST", "/hearth/v1/\(model)/releases/\(number):\(action.rawValue)"))
    }

    func rollBack(
        _ model: String, _ body: ReleaseBodies.RollbackRequest
    ) throws -> ReleaseBodies.Release {
        try call(.change("POST", "/hearth/v1/\(model):rollback", body: body))
    }
}
