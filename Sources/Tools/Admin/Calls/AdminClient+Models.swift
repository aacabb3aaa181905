public import HearthCalls
import HearthWire

/// Models, by the management API that existing tools use, too.
extension AdminClient {
    /// The model with this display name; nil if the project has none.
    ///
    /// - Throws: ``AdminError``.
    public func findModel(_ displayName: String) throws(AdminError) -> ModelResource? {
        try call(ModelCalls.list, project(), query: [("filter", "displayName=\(displayName)")]).models?.first
    }

    /// The model with this resource name, `projects/{project}/models/{id}`.
    ///
    /// - Throws: ``AdminError``.
    public func model(_ name: String) throws(AdminError) -> ModelResource { try call(ModelCalls.get, of: name) }

    /// The project's models.
    ///
    /// - Parameters:
    ///   - filter: terms such as `tags: beta`, joined by `AND` and `OR`; nil for all models.
    ///   - limit: the most models, 1 or more; nil for all.
    /// - Throws: ``AdminError``.
    public func models(filter: String? = nil, limit: Int? = nil) throws(AdminError) -> [ModelResource] {
        let project = try project()
        return try items(of: ModelList.self, limit: limit, pageSize: 1000) { page in
            AdminRequest(ModelCalls.list, [project], query: [("filter", filter)] + page)
        }
    }

    /// Makes a model, and waits until the server has validated its file. To make one from a file, see ``ModelPush``.
    ///
    /// - Throws: ``AdminError``.
    public func createModel(_ model: ModelResource) throws(AdminError) -> ModelResource {
        try finished(call(ModelCalls.create, project(), body: model))
    }

    /// Changes a model. If the file is new, waits until the server has validated it.
    ///
    /// - Parameters:
    ///   - name: its resource name.
    ///   - model: the new values.
    ///   - mask: the names of the values to change, such as `displayName` or `tags,state.published`.
    /// - Throws: ``AdminError``.
    public func updateModel(_ name: String, _ model: ModelResource, mask: String) throws(AdminError) -> ModelResource {
        try finished(call(ModelCalls.update, of: name, query: [("updateMask", mask)], body: model))
    }

    /// Deletes the model with this resource name and all its versions. Devices keep their copies.
    ///
    /// - Throws: ``AdminError``.
    public func deleteModel(_ name: String) throws(AdminError) {
        try perform(ModelCalls.delete, of: name)
    }

    /// Waits for the operation: a validation takes some time.
    private func finished(_ operation: OperationResource) throws(AdminError) -> ModelResource {
        let operation = try poll(
            for: operation, isDone: \.done,
            next: { operation throws(AdminError) in
                guard let name = operation.name else {
                    throw AdminError(.malformedResponse, "The server's answer has no operation name.")
                }
                return try self.call(ModelCalls.operation, of: name)
            })
        if let error = operation.error { throw AdminError(.operationFailed, error.message) }
        guard let model = operation.response else {
            throw AdminError(.malformedResponse, "The server's answer has no model.")
        }
        return model
    }
}

extension ModelResource {
    /// The resource name, which every model from the server has.
    package func resourceName() throws(AdminError) -> String {
        guard let name else { throw AdminError(.malformedResponse, "The server's answer has no model name.") }
        return name
    }
}

extension ModelList: AdminPage {
    var items: [ModelResource]? { models }
}

/// The tags of a model.
package enum ModelTags {
    /// In their order, each once.
    package static func changed(_ present: [String], adding: [String], removing: [String] = []) -> [String] {
        var tags: [String] = []
        for tag in present + adding where !removing.contains(tag) && !tags.contains(tag) { tags.append(tag) }
        return tags
    }
}
