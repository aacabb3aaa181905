import HearthCalls
import HearthCatalog
import HearthHTTP
import HearthManagement
import HearthWire
import Testing

@testable import HearthManagementTestSupport

@Suite("The list of experiments, with a filter") struct ExperimentListTests {
    private let service: TestService
    private let flowers: String

    init() throws {
        service = try TestService()
        flowers = try service.makeModel("flowers", FakeProbe.ok("1"), isPublished: true)
        try service.makeExperiment(TestService.twoVariantExperiment("colours"), start: false)
        try service.makeExperiment(TestService.twoVariantExperiment("shades"))
        try service.makeExperiment(
            #"{"name":"petals","goal":{"event":"buy","kind":"total"},"variants":[{"name":"a"},{"name":"b","models":{"flowers":1}}]}"#
        )
    }

    private func names(_ query: String) throws -> [String] {
        let answer = try service.hearthAdmin(.get, "experiments\(query)")
        try #require(answer.status == 200, "\(answer.text)")
        return (try WireJSON.decode(ExperimentBodies.List.self, from: answer.body).experiments ?? [])
            .map(\.definition.name).sorted()
    }

    @Test("By the model that a variant gets, by a parameter, by state, and by several of them")
    func filters() throws {
        #expect(try names("") == ["colours", "petals", "shades"])
        #expect(try names("?model=flowers") == ["petals"])
        #expect(try names("?model=\(flowers)") == ["petals"])
        #expect(try names("?model=trees").isEmpty)
        #expect(try names("?parameter=colour") == ["colours", "shades"])
        #expect(try names("?parameter=colou").isEmpty)
        #expect(try names("?state=running") == ["petals", "shades"])
        #expect(try names("?state=draft&parameter=colour") == ["colours"])
        #expect(try names("?model=flowers&parameter=colour").isEmpty)
        #expect(try names("?model=&state=") == ["colours", "petals", "shades"])
    }

    @Test("A state that there is not is refused")
    func refusal() throws {
        try service.hearthAdmin(.get, "experiments?state=done").expectRefusal(400, "INVALID_ARGUMENT")
    }
}
