import Foundation
import HearthTestSupport
import Testing

@testable import HearthCommandLine

/// The guide to Remote Config says what the server takes.
@Suite struct RemoteConfigGuideTests {
    private func guide() throws -> String {
        try String(
            contentsOf: TestPaths.package.appendingPathComponent("docs/guides/remote-config.md"), encoding: .utf8)
    }

    @Test func itsConditionsAreConditions() throws {
        let parts = try guide().components(separatedBy: "<!-- conditions: begin -->\n")
        let table = try #require(parts.last?.components(separatedBy: "<!-- conditions: end -->").first)
        let terms = table.split(separator: "\n").dropFirst(2).map { $0.components(separatedBy: "`")[1] }
        #expect(terms.count == 19)
        for term in terms { #expect(ConditionMark.text(term) == nil, "\(term)") }
    }

    @Test func itsMarkStandsWhereTheProgramPutsIt() throws {
        let condition = "percent('large') < 10"
        #expect(try guide().contains("```text\n\(try #require(ConditionMark.text(condition)))\nerror: "))
    }
}
