import HearthCalls
import HearthCatalog
import HearthHTTP
import HearthManagement
import HearthWire
import Testing

@testable import HearthManagementTestSupport

@Suite("Comparisons of versions over HTTP") struct ComparisonRouteTests {
    private let service: TestService
    private let id: String

    init() throws {
        service = try TestService()
        id = try service.makeModel("flowers", FakeProbe.ok("1"))
    }

    private func compare(_ version: String, with other: String?, token: String? = nil) throws -> TestResponse {
        let query = other.map { "?with=\($0)" } ?? ""
        return try service.hearth(
            .get, "projects/project-a/models/\(id)/versions/\(version):compare\(query)", token: token)
    }

    @Test("A viewer sees what an app would notice, and the size and measurements of both versions")
    func differences() throws {
        try service.makeVersion(id, FakeProbe.otherContract("22"))
        let answer = try compare("2", with: "1", token: service.adminToken(.viewer))
        #expect(answer.status == 200, "\(answer.text)")
        #expect(answer["fitsApps"] as? Bool == false)
        let comparison = try WireJSON.decode(VersionComparison.self, from: answer.body)
        #expect(
            comparison.differences.map(\.text) == ["type of input 0 is uint8, was float32"], "\(answer.text)")
        let first = try #require(comparison.differences.first)
        #expect(first.place == "input" && first.before == "float32" && first.after == "uint8" && first.affectsApps)
        #expect(comparison.version.version == 2 && comparison.with.version == 1)
        #expect(comparison.version.sizeBytes == "\(FakeProbe.otherContract("22").utf8.count)")
        #expect(comparison.with.figures?.medianMicroseconds == 900 && comparison.with.verdict == "ok")
        #expect(comparison.omittedDifferences == nil)
    }

    @Test("Operators that one version uses and metadata that differ have names, and do not affect apps")
    func operators() throws {
        try service.makeVersion(id, FakeProbe.otherOperators("2"))
        let answer = try compare("2", with: "1")
        let comparison = try WireJSON.decode(VersionComparison.self, from: answer.body)
        let found = comparison.differences.map { [$0.place, $0.name, $0.before, $0.after] }
        #expect(
            found == [
                ["operators", "operator", nil, "CONV_2D"], ["operators", "operator", nil, "MEAN"],
                ["metadata", "author", "none", "Ada"],
            ], "\(answer.text)")
        #expect(comparison.fitsApps)
    }

    @Test("A version with the same contract fits, and so does the same file")
    func fitting() throws {
        try service.makeVersion(id, FakeProbe.ok("2"))
        #expect(try service.hearthAdmin(.put, "models/\(id)/aliases/champion", #"{"version":1}"#).status == 200)
        for (version, other) in [("2", "1"), ("1", "1"), ("2", "champion")] {
            let answer = try compare(version, with: other)
            #expect(answer["fitsApps"] as? Bool == true, "\(answer.text)")
            #expect((answer["differences"] as? [Any])?.isEmpty == true)
        }
    }

    /// What the check of a release decides with the same versions.
    @Test("The answer is the one that a release gives", arguments: [FakeProbe.ok("2"), FakeProbe.otherContract("2")])
    func sameAsRelease(contents: String) throws {
        #expect(try service.hearthAdmin(.post, "models/\(id)/releases", #"{"version":1}"#).status == 200)
        try service.makeVersion(id, contents)
        let set = try service.admin(
            .patch, "models/\(id)?updateMask=hearth.contractCheck", #"{"hearth":{"contractCheck":"refuse"}}"#)
        #expect(set.status == 200)
        let fits = try compare("2", with: "1")["fitsApps"] as? Bool
        let released = try service.hearthAdmin(.post, "models/\(id)/releases", #"{"version":2}"#)
        #expect((released.status == 200) == fits, "\(released.text)")
    }

    @Test("Wrong versions are refused")
    func refusals() throws {
        try compare("1", with: nil).expectRefusal(400, "INVALID_ARGUMENT")
        try compare("1", with: "").expectRefusal(400, "INVALID_ARGUMENT")
        try compare("1", with: "2").expectRefusal(404, "NOT_FOUND")
        try compare("best", with: "1").expectRefusal(404, "NOT_FOUND")
    }

    @Test("A file that is no model has no contract, which is said")
    func unknownContract() throws {
        _ = try service.makeVersion(id, FakeProbe.malformed())
        let answer = try compare("2", with: "1")
        #expect(answer["fitsApps"] as? Bool == false, "\(answer.text)")
        #expect(answer.text.contains("the contract of version 2 is not known"), "\(answer.text)")
        _ = try service.makeVersion(id, FakeProbe.malformed("again"))
        let both = try compare("3", with: "2")
        #expect(both["fitsApps"] as? Bool == false && (both["differences"] as? [Any])?.count == 2, "\(both.text)")
        #expect(try compare("2", with: "2")["fitsApps"] as? Bool == true)
    }
}
