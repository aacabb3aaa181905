import HearthCalls
import HearthHTTP
import HearthWire

/// The description of the HTTP interface in the form of OpenAPI 3.0, made from the table of calls.
struct OpenAPIDocument {
    private let calls: [CallDescription]

    /// - Parameter calls: all of the service's.
    init(_ calls: [CallDescription]) { self.calls = calls }

    /// As text with sorted members, so that a change of a route is a small difference.
    var json: [UInt8] {
        get throws { try WireJSON.encodePretty(document) + [UInt8(ascii: "\n")] }
    }

    private var document: DescribedJSON {
        var reader = SchemaReader()
        var paths: [String: [String: DescribedJSON]] = [:]
        for call in calls {
            paths["/" + call.path.pattern, default: [:]][call.method.rawValue.lowercased()] = operation(call, &reader)
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

    private func operation(_ call: CallDescription, _ reader: inout SchemaReader) -> DescribedJSON {
        var answer: [String: DescribedJSON] = ["description": .text(call.answerSummary)]
        if let type = call.answer {
            answer["content"] = .object(["application/json": .object(["schema": reader.schema(of: type)])])
        } else if let media = call.answerMedia {
            answer["content"] = .object([media: .object(["schema": .object(["type": "string", "format": "binary"])])])
        }
        var operation: [String: DescribedJSON] = [
            "operationId": .text(Self.identifier(call)), "summary": .text(call.summary),
            "tags": .list([.text(call.subject.rawValue)]),
            "responses": .object([
                "200": .object(answer), "default": .object(["$ref": "#/components/responses/Error"]),
            ]),
            "security": security(call.access),
        ]
        let parameters = pathParameters(call) + call.query.map(Self.queryParameter)
        if !parameters.isEmpty { operation["parameters"] = .list(parameters) }
        if let type = call.request {
            operation["requestBody"] = .object([
                "content": .object(["application/json": .object(["schema": reader.schema(of: type)])])
            ])
        } else if let media = call.requestMedia {
            operation["requestBody"] = .object([
                "content": .object([media: .object(["schema": .object(["type": "string", "format": "binary"])])])
            ])
        }
        return .object(operation)
    }

    private func security(_ access: CallAccess) -> DescribedJSON {
        switch access {
        case .anyone: .list([])
        case .apiKey: .list([.object(["apiKey": .list([])])])
        case .device: .list([.object(["apiKey": .list([]), "installation": .list([])])])
        default: .list([.object(["admin": .list([])])])
        }
    }

    private func pathParameters(_ call: CallDescription) -> [DescribedJSON] {
        call.path.names.map { name in
            .object([
                "name": .text(name), "in": "path", "required": true,
                "schema": .object(["type": "string"]),
            ])
        }
    }

    private static func queryParameter(_ query: CallQuery) -> DescribedJSON {
        .object([
            "name": .text(query.name), "in": "query", "description": .text(query.summary),
            "schema": .object(["type": "string"]),
        ])
    }

    /// `GET hearth/v1/projects/{project}/uploads` is `getHearthV1ProjectsByProjectUploads`.
    private static func identifier(_ call: CallDescription) -> String {
        let words = call.path.pattern.replacing("{", with: "by/").split { !($0.isLetter || $0.isNumber) }
        return call.method.rawValue.lowercased() + words.map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined()
    }
}
