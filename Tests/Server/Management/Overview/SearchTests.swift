import Foundation
import HearthCalls
import HearthCatalog
import HearthHTTP
import HearthManagement
import HearthRouting
import HearthStorage
import HearthWire
import Testing

@testable import HearthManagementTestSupport

@Suite("Search in a project") struct SearchTests {
    private let service: TestService

    init() throws { service = try TestService() }

    private func search(_ text: String) throws -> SearchBodies.Results {
        let answer = try service.hearthAdmin(.get, "search?q=\(Self.encoded(text))")
        try #require(answer.status == 200, "\(answer.text)")
        return try WireJSON.decode(SearchBodies.Results.self, from: answer.text.utf8)
    }

    private static func encoded(_ text: String) -> String {
        text.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
    }

    @Test("Models by name, tag and id, whatever the case, the best matches first")
    func models() throws {
        let wild = try service.makeModel("wildflowers")
        for name in ["Flowers-2", "flowers"] { try service.makeModel(name) }
        try service.makeModel("roses", tags: ["FLOWERY", "red"])
        try service.makeModel("digits", tags: ["paper"])
        try service.makeModel("flowers", as: service.b)
        #expect(try search("fLOWERs").models.map(\.displayName) == ["flowers", "Flowers-2", "wildflowers"])
        #expect(try search("flower").models.map(\.displayName) == ["flowers", "Flowers-2", "roses", "wildflowers"])
        #expect(try search("ower").models.count == 4)
        #expect(try search(" paper ").models.map(\.displayName) == ["digits"])
        #expect(try search(wild).models.map(\.model) == [wild])
        #expect(try search("flowery").models.first?.tags == ["FLOWERY", "red"])
        #expect(try search("tulips").models == [])
        #expect(try search("red,").models == [], "tags are separate texts")
    }

    @Test("The names of all models of the project, more than a list has on a page")
    func modelNames() throws {
        let ids = try (10..<115).map { try service.makeModel("m\($0)") }
        try service.makeModel("another", as: service.b)
        let answer = try service.hearthAdmin(.get, "modelNames")
        let found = try WireJSON.decode(SearchBodies.ModelNames.self, from: answer.text.utf8).models
        #expect(found.map(\.model) == ids)
        #expect(found.map(\.displayName) == (10..<115).map { "m\($0)" })
    }

    @Test("Models by the aliases of their versions, with the version, and by their names in logs")
    func aliases() throws {
        let flowers = try service.makeModel("flowers", FakeProbe.ok("1"))
        let trees = try service.makeModel("trees", FakeProbe.ok("2"))
        for (model, alias) in [(flowers, "champion"), (flowers, "stable"), (trees, "challenger")] {
            let answer = try service.hearthAdmin(.put, "models/\(model)/aliases/\(alias)", #"{"version":1}"#)
            try #require(answer.status == 200, "\(answer.text)")
        }
        #expect(try search("CHAMP").models.map(\.aliases) == [[.init(alias: "champion", version: 1)]])
        #expect(try search("cha").models.map(\.displayName) == ["flowers", "trees"])
        #expect(try search("flowers").models.map(\.aliases) == [nil], "only aliases that contain the text")
        #expect(try search("models/\(trees)").models.map(\.model) == [trees])
        #expect(try search("projects/project-a/models/\(trees)").models.map(\.model) == [trees])
        for text in ["models/", "projects/project-b/models/\(trees)"] { #expect(try search(text).models == []) }
    }

    @Test("At most 10 of a kind")
    func limit() throws {
        for number in 10..<25 { try service.makeModel("m\(number)") }
        #expect(try search("m").models.map(\.displayName) == (10..<20).map { "m\($0)" })
    }

    @Test("Parameters, also of groups, conditions and experiments")
    func others() throws {
        try service.putTemplate(
            #"""
            {"conditions":[{"name":"Colour fans","expression":"true"},{"name":"100%_sure","expression":"true"}],
             "parameters":{"button_colour":{"defaultValue":{"value":"1"}},"size":{"defaultValue":{"value":"1"}}},
             "parameterGroups":{"looks":{"parameters":{"colour":{"defaultValue":{"value":"grey"}}}}}}
            """#)
        try service.makeExperiment(TestService.twoVariantExperiment("colours"))
        try service.makeExperiment(TestService.twoVariantExperiment("Old-Colours"), start: false)
        let found = try search("colour")
        #expect(found.query == "colour")
        #expect(found.parameters == ["colour", "button_colour"])
        #expect(found.conditions == ["Colour fans"])
        #expect(
            found.experiments == [.init(name: "colours", state: "running"), .init(name: "Old-Colours", state: "draft")])
        // No character has a special meaning.
        #expect(try search("%").conditions == ["100%_sure"])
        #expect(try search("%").parameters == [])
        #expect(try search("_").parameters == ["button_colour"])
        #expect(try search(".*").parameters == [])
        #expect(try search("*").parameters == [])
    }

    @Test("An installation by its whole id only")
    func installation() throws {
        let fid = TestService.fids(1)[0]
        try service.services.metadata.write { store in
            try store.insert(Installation(projectID: "project-a", fid: fid, appID: "a", createdMicroseconds: 0))
        }
        #expect(try search(fid).installation == fid)
        for text in [String(fid.dropLast()), fid.lowercased(), "%"] { #expect(try search(text).installation == nil) }
    }

    @Test("Without a text, and with one that is too long, it is refused")
    func refusals() throws {
        for query in ["", "?q=", "?q=%20", "?q=" + String(repeating: "a", count: 101)] {
            try service.hearthAdmin(.get, "search" + query).expectRefusal(400, "INVALID_ARGUMENT")
        }
        #expect(try search(String(repeating: "\u{e4}", count: 100)).models == [])
    }
}
