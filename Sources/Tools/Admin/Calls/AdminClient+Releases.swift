public import HearthCalls

/// Versions and releases of a model, by its resource name `projects/{project}/models/{id}`.
extension AdminClient {
    /// The model's versions, newest first.
    ///
    /// - Throws: ``AdminError``.
    public func versions(of model: String) throws(AdminError) -> [ReleaseBodies.Version] {
        try call(VersionCalls.list, of: model).versions ?? []
    }

    /// The version with this number, 1 or more.
    ///
    /// - Throws: ``AdminError``.
    public func version(_ number: Int, of model: String) throws(AdminError) -> ReleaseBodies.Version {
        try call(VersionCalls.get, of: model, "\(number)")
    }

    /// Makes a version from an uploaded file, without a release, and waits for its validation.
    ///
    /// - Parameters:
    ///   - source: `gs://bucket/object`, from the answer to the upload.
    ///   - note: one line of at most 500 bytes of UTF-8; nil for none.
    /// - Throws: ``AdminError``.
    public func createVersion(
        of model: String, source: String, note: String? = nil
    ) throws(AdminError) -> ReleaseBodies.Version {
        let body = ReleaseBodies.CreateVersionRequest(source: source, note: note)
        let made = try call(VersionCalls.create, of: model, body: body)
        return try poll(
            for: made, isDone: { $0.verdict != "pending" },
            next: { version throws(AdminError) in try self.version(version.version, of: model) })
    }

    /// How many devices have which version of the model.
    ///
    /// - Throws: ``AdminError``.
    public func devices(of model: String) throws(AdminError) -> DeviceBodies.Report {
        try call(ModelCalls.devices, of: model)
    }

    /// What devices reported about the model's versions in the last hours.
    ///
    /// - Parameters:
    ///   - version: only this one; nil for all.
    ///   - hours: 1 to 2160.
    /// - Throws: ``AdminError``.
    public func health(of model: String, version: Int?, hours: Int) throws(AdminError) -> HealthBodies.Report {
        try call(
            ModelCalls.health, of: model, query: [("version", version.map(String.init)), ("hours", String(hours))])
    }

    /// The model's releases, newest first, including stopped ones.
    ///
    /// - Throws: ``AdminError``.
    public func releases(of model: String) throws(AdminError) -> [ReleaseBodies.Release] {
        try call(ReleaseCalls.list, of: model).releases ?? []
    }

    /// The release with this number, 1 or more.
    ///
    /// - Throws: ``AdminError``.
    public func release(_ number: Int, of model: String) throws(AdminError) -> ReleaseBodies.Release {
        try call(ReleaseCalls.get, of: model, "\(number)")
    }

    /// Gives a version to a share of the devices, or to all.
    ///
    /// - Throws: ``AdminError``.
    public func createRelease(
        of model: String, _ body: ReleaseBodies.CreateRequest
    ) throws(AdminError) -> ReleaseBodies.Release {
        try call(ReleaseCalls.create, of: model, body: body)
    }

    /// Changes a release's share, stages or audience.
    ///
    /// - Throws: ``AdminError``.
    public func updateRelease(
        _ number: Int, of model: String, _ body: ReleaseBodies.UpdateRequest
    ) throws(AdminError) -> ReleaseBodies.Release {
        try call(ReleaseCalls.update, of: model, "\(number)", body: body)
    }

    /// A change of an open release.
    public enum ReleaseAction: String, Sendable {
        /// No more devices get it, and its schedule stops.
        case pause
        /// It continues after a pause.
        case resume
        /// It ends for good: its devices get the fallback release.
        case stop = "end"
    }

    /// Pauses, resumes or stops a release.
    ///
    /// - Throws: ``AdminError``.
    public func changeRelease(
        _ number: Int, of model: String, _ action: ReleaseAction
    ) throws(AdminError) -> ReleaseBodies.Release {
        let change =
            switch action {
            case .pause: ReleaseCalls.pause
            case .resume: ReleaseCalls.resume
            case .stop: ReleaseCalls.end
            }
        return try call(change, of: model, "\(number)")
    }

    /// Makes an earlier version the one that all devices get, and stops the open releases.
    ///
    /// - Throws: ``AdminError``.
    public func rollBack(
        _ model: String, _ body: ReleaseBodies.RollbackRequest
    ) throws(AdminError) -> ReleaseBodies.Release {
        try call(ReleaseCalls.rollBack, of: model, body: body)
    }
}

/// Facts about a device that decide what it gets. A fact that is nil is not given.
public struct DeviceDetails: Sendable, Hashable {
    /// The app's version: numbers with dots, such as `2.10.0`.
    public var appVersion: String?
    /// The operating system: `linux`, `ios`, `android`, …
    public var os: String?
    /// The language as a BCP 47 tag.
    public var language: String?
    /// The country as an ISO 3166-1 alpha-2 code.
    public var country: String?
    /// The tags that the app sets; empty for none given.
    public var tags: [String] = []

    /// Gives no fact.
    public init() {}
}

extension AdminClient {
    /// What an installation gets of a model, and why.
    ///
    /// - Parameters:
    ///   - installation: its id.
    ///   - details: facts in place of those of the installation's last call, which the server uses if it remembers them.
    /// - Throws: ``AdminError``.
    public func explain(
        _ model: String, for installation: String, _ details: DeviceDetails = DeviceDetails()
    ) throws(AdminError) -> ReleaseBodies.Explanation {
        let query: [(String, String?)] =
            [
                ("installation", installation), ("appVersion", details.appVersion), ("os", details.os),
                ("language", details.language), ("country", details.country),
            ] + details.tags.map { ("tag", Optional($0)) }
        return try call(ReleaseCalls.explain, of: model, query: query)
    }
}
