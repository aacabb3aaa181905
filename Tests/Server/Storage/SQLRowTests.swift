import HearthCatalog
import HearthStorage
import Testing

@testable import HearthStorageSQL
@testable import HearthStorageTestSupport

@Suite("Rows of answers") struct SQLRowTests {
    @Test("A record is read by the names of its columns, wherever they are", arguments: MetadataKind.allCases)
    func names(kind: MetadataKind) throws {
        let projects = try kind.makeStore().read { reader in
            try #require(reader as? SQLSession).connection.rows(
                "SELECT 1 AS revision, created_us, number, 'x' AS name, id FROM project ORDER BY id", [], Project.init)
        }
        #expect(projects == [Records.project("project-a", number: 1), Records.project("project-b", number: 2)])
    }

    @Test("The capitals of a name do not matter: SQLite has them from the file")
    func capitals() { #expect(SQLRow(SQLColumns(["ID"]), Zeros()).integer(.id) == 0) }

    @Test("A column that an answer has not ends the process, and is named")
    func missing() async throws {
        let end = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = SQLRow(SQLColumns(["id", "name"]), Zeros()).text(.fid)
        }
        #expect(try text(#require(end)).contains(#"no column fid, or several, in an answer of ["id", "name"]"#))
    }

    @Test("So does one that two joined tables have")
    func several() async throws {
        let end = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = SQLRow(SQLColumns(["id", "name", "id"]), Zeros()).text(.id)
        }
        #expect(try text(#require(end)).contains("no column id, or several"))
    }

    @Test("So does a second column where one value is read")
    func notOne() async throws {
        let end = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = SQLRow(SQLColumns(["id", "name"]), Zeros()).onlyText
        }
        #expect(try text(#require(end)).contains("not one column"))
    }

    private func text(_ end: ExitTest.Result) -> String { String(decoding: end.standardErrorContent, as: UTF8.self) }
}

/// A row of which only the places matter.
private final class Zeros: SQLRowValues {
    func integer(at place: Int32) -> Int64 { 0 }
    func real(at place: Int32) -> Double { 0 }
    func optionalInteger(at place: Int32) -> Int64? { nil }
    func bytes(at place: Int32) -> [UInt8] { [] }
    func optionalText(at place: Int32) -> String? { nil }
}
