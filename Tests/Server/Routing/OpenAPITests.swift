import Foundation
import HearthCalls
import HearthTestSupport
import HearthWire
import Testing

@testable import HearthDevicePlane
@testable import HearthHTTP
@testable import HearthManagement
@testable import HearthManagementTestSupport
@testable import HearthRouting
@testable import HearthServing

@Suite("The description of the HTTP interface") struct OpenAPITests {
    private static let file = TestPaths.package.appendingPathComponent("docs/openapi.json")

    @Test("docs/openapi.json is what the routes say; HEARTH_UPDATE_OPENAPI=1 writes it")
    func document() throws {
        let service = try TestService()
        let answer = try service.call(.get, "/hearth/v1/openapi.json")
        #expect(answer.status == 200)
        if ProcessInfo.processInfo.environment["HEARTH_UPDATE_OPENAPI"] == "1" {
            try Data(answer.body).write(to: Self.file)
        }
        let same = try Data(contentsOf: Self.file) == Data(answer.body)
        #expect(same, "run: HEARTH_UPDATE_OPENAPI=1 scripts/run-tests HearthRoutingTests")
    }

    @Test("Every call is described, and nothing else is")
    func completeness() throws {
        let calls = try TestService().handler.routes.map(\.call)
        let json = try JSONSerialization.jsonObject(with: Data(contentsOf: Self.file)) as? [String: Any]
        let paths = try #require(json?["paths"] as? [String: [String: Any]])
        let described = paths.flatMap { path, methods in methods.keys.map { "\($0.uppercased()) \(path)" } }
        #expect(Set(described) == Set(calls.map { "\($0.method.rawValue) /\($0.path)" }))
        #expect(described.count == calls.count)
        for call in calls { #expect(call.summary.hasSuffix("."), "\(call.path)") }
    }

    @Test("Bodies are described by their own types")
    func schemas() throws {
        let json = try JSONSerialization.jsonObject(with: Data(contentsOf: Self.file)) as? [String: Any]
        let components = json?["components"] as? [String: Any]
        let schemas = try #require(components?["schemas"] as? [String: [String: Any]])
        let model = try #require(schemas["ModelResource"])
        let members = try #require(model["properties"] as? [String: Any])
        #expect(
            Set(members.keys).isSuperset(of: ["displayName", "tags", "state", "tfliteModel", "modelHash", "hearth"]))
        for (name, schema) in schemas {
            let properties = schema["properties"] as? [String: Any] ?? [:]
            #expect(schema["type"] as? String != "object" || !properties.isEmpty, "\(name) has no members")
        }
    }
}
