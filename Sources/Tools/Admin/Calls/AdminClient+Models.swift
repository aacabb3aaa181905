import HearthLocalCommands
import HearthWire

/// Models, through the management API that existing tools use as well.
extension AdminClient {
    /// The model of that display name, or nil.
    func find(_ displayName: String) throws -> ModelResource? {
        let list: ModelList = try call(.get(modelsPath(), query: [("filter", "displayName=\(displayName)")]))
        return list.models?.first
    }

    /// The model of that resource name.
    func model(_ name: String) throws -> ModelResource { try call(.get("/v1beta2/\(name)")) }

    /// Those that match the filter, `limit` at most.
    func models(filter: String? = nil, limit: Int? = nil) throws -> [ModelResource] {
        var models: [ModelResource] = []
        var token: String?
        repeat {
            let wanted = limit.map { String(min($0 - models.count, 1000)) }
            let page: ModelList = try call(
                .get(modelsPath(), query: [("filter", filter), ("pageSize", wanted), ("pageToken", token)]))
            models += page.models ?? []
            token = page.nextPageToken
        } while token != nil && models.count < limit ?? .max
        return Array(models.prefix(limit ?? .max))
    }

    func create(_ model: ModelResource) throws -> ModelResource {
        try finished(call(.change("POST", modelsPath(), body: model)))
    }

    /// `name` is the resource name, `mask` what changes.
    func update(_ name: String, _ body: some Encodable, mask: String) throws -> ModelResource {
        try finished(call(.change("PATCH", "/v1beta2/\(name)", query: [("updateMask", mask)], body: body)))
    }

    func delete(_ name: String) throws {
        try perform(.change("DELETE", "/v1beta2/\(name)"))
    }

    private func modelsPath() throws -> String { "/v1beta2/projects/\(AdminRequest.encoded(try project()))/models" }

    /// Waits for the operation: a check of a model may take its time.
    private func finished(_ operation: OperationResource) throws -> ModelResource {
        let operation = try poll(
            for: operation, isDone: \.done,
            next: { operation in
                guard let name = operation.name else {
                    throw CommandFailure("The server's answer has no operation name.")
                }
                return try self.call(.get("/v1beta2/\(name)"))
            })
        if let error = operation.error { throw CommandFailure(error.message) }
        guard let model = operation.response else { throw CommandFailure("The server's answer has no model.") }
        return model
    }
}
