public import HearthCalls

/// Aliases and notes of a model's versions, by the model's resource name `projects/{project}/models/{id}`.
extension AdminClient {
    /// The version that has this alias now.
    ///
    /// - Throws: ``AdminError``.
    public func version(alias: String, of model: String) throws(AdminError) -> ReleaseBodies.Version {
        try call(VersionCalls.get, of: model, alias)
    }

    /// The model's aliases, in alphabetical order.
    ///
    /// - Throws: ``AdminError``.
    public func aliases(of model: String) throws(AdminError) -> [AliasBodies.Alias] {
        try call(AliasCalls.list, of: model).aliases ?? []
    }

    /// Gives an alias to a version, and takes it from the version that has it. If the server is still validating the
    /// version, the call waits for the verdict.
    ///
    /// - Parameters:
    ///   - alias: 1 to 32 small letters, digits and hyphens, of which the first is a letter.
    ///   - version: the number of the version, 1 or more.
    /// - Throws: ``AdminError``.
    public func setAlias(_ alias: String, to version: Int, of model: String) throws(AdminError) -> AliasBodies.Alias {
        try call(AliasCalls.put, of: model, alias, body: AliasBodies.PutRequest(version: version))
    }

    /// Removes an alias. The answer is the alias as it was.
    ///
    /// - Throws: ``AdminError``.
    public func removeAlias(_ alias: String, of model: String) throws(AdminError) -> AliasBodies.Alias {
        try call(AliasCalls.delete, of: model, alias)
    }

    /// Replaces the note of a version.
    ///
    /// - Parameters:
    ///   - note: one line of at most 500 bytes of UTF-8; nil removes the note.
    ///   - version: the number of the version, 1 or more.
    /// - Throws: ``AdminError``.
    public func setNote(
        _ note: String?, ofVersion version: Int, of model: String
    ) throws(AdminError) -> ReleaseBodies.Version {
        let body = ReleaseBodies.UpdateVersionRequest(note: note ?? "")
        return try call(VersionCalls.update, of: model, "\(version)", body: body)
    }
}
