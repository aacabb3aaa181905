import HearthStorageTestSupport
import Testing

@Suite("Engines of the conformance suites")
struct EnginePresenceTests {
    @Test(
        "The suite of metadata also runs over PostgreSQL",
        .enabled(if: TestDatabase.server != nil, "TEST_POSTGRES is not set"))
    func postgres() { #expect(MetadataKind.allCases.contains(.postgres)) }
}
