import HearthHTTP
import HearthWire

/// The description of the HTTP interface in the form of OpenAPI 3.0, made from the routes themselves.
struct OpenAPIDocument {
    private let routes: [Route]

    /// - Parameter routes: all of the service's; each must have an `OperationDescription`.
    init(_ routes: [Route]) { self.routes = routes }

    /// As text with sorted members, so that a change of a route is a small difference.
    var json: [UInt8] {
        get throws { try WireJSON.encodePretty(document) + [UInt8(ascii: "\n")] }
    }

    private var document: DescribedJSON {
        var reader = SchemaReader()
        var paths: [String: [String: DescribedJSON]] = [:]
        for route in routes {
            guard let description = OperationDescription.table["\(route.method) \(route.name)"] else { continue }
            let path = "/" + route.name
            paths[path, default: [:]]["\(route.method)".lowercased()] = operation(route, description, &reader)
        }
        // The error of every call.
        let error = reader.schema(of: ErrorEnvelope.self)
        return .object([
            "openapi": "3.0.3",
            "info": .object([
                "title": "Hearth", "version": .text(HearthVersion.text),
                "description": """
                Hosts TensorFlow Lite models. The calls below v1beta2, v1, storage and token are those of Google's services, \
                for tools that were written for them; the calls below hearth are Hearth's own.
                """,
            ]),
            "servers": .list([.object(["url": "http://127.0.0.1:8787"])]),
            "paths": .object(paths.mapValues(DescribedJSON.object)),
            "components": .object([
                "securitySchemes": .object([
                    "admin": .object([
                        "type": "http", "scheme": "bearer",
                        "description": "An admin token, or the access token of a service account.",
                    ]),
                    "apiKey": .object(["type": "apiKey", "in": "header", "name": "x-goog-api-key"]),
                    "installation": .object([
                        "type": "apiKey", "in": "header", "name": "x-goog-firebase-installations-auth",
                        "description": "The token of an installation.",
                    ]),
                ]),
                "responses": .object([
                    "Error": .object([
                        "description": "A refusal, in the form of Google's services.",
                        "content": .object(["application/json": .object(["schema": error])]),
                    ])
                ]),
                "schemas": .object(reader.components),
            ]),
        ])
    }

    private func operation(
        _ route: Route, _ description: OperationDescription, _ reader: inout SchemaReader
    ) -> DescribedJSON {
        var answer: [String: DescribedJSON] = ["description": .text(description.answer)]
        if let type = description.response {
            answer["content"] = .object(["application/json": .object(["schema": reader.schema(of: type)])])
        } else if let media = description.responseMedia {
            answer["content"] = .object([media: .object(["schema": .object(["type": "string", "format": "binary"])])])
        }
        var operation: [String: DescribedJSON] = [
            "operationId": .text(Self.identifier(route)), "summary": .text(description.summary),
            "tags": .list([.text(description.tag)]),
            "responses": .object([
                "200": .object(answer), "default": .object(["$ref": "#/components/responses/Error"]),
            ]),
            "security": security(description.access),
        ]
        let parameters = pathParameters(route) + description.query.map(Self.queryParameter)
        if !parameters.isEmpty { operation["parameters"] = .list(parameters) }
        if let type = description.request {
            operation["requestBody"] = .object([
                "content": .object(["application/json": .object(["schema": reader.schema(of: type)])])
            ])
        } else if let media = description.requestMedia {
            operation["requestBody"] = .object([
                "content": .object([media: .object(["schema": .object(["type": "string", "format": "binary"])])])
            ])
        }
        return .object(operation)
    }

    private func security(_ access: OperationDescription.Access) -> DescribedJSON {
        switch access {
        case .anyone: .list([])
        case .apiKey: .list([.object(["apiKey": .list([])])])
        case .device: .list([.object(["apiKey": .list([]), "installation": .list([])])])
        case .admin: .list([.object(["admin": .list([])])])
        }
    }

    private func pathParameters(_ route: Route) -> [DescribedJSON] {
        route.name.matches(of: /\{([A-Za-z0-9]+)\}/).map { match in
            .object([
                "name": .text(String(match.1)), "in": "path", "required": true,
                "schema": .object(["type": "string"]),
            ])
        }
    }

    private static func queryParameter(_ query: OperationDescription.Query) -> DescribedJSON {
        .object([
            "name": .text(query.name), "in": "query", "description": .text(query.description),
            "schema": .object(["type": "string"]),
        ])
    }

    /// `GET hearth/v1/projects/{project}/uploads` is `getHearthV1ProjectsByProjectUploads`.
    private static func identifier(_ route: Route) -> String {
        let words = route.name.replacing("{", with: "by/").split { !($0.isLetter || $0.isNumber) }
        return "\(route.method)".lowercased() + words.map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined()
    }
}
