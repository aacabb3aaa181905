import HearthCatalog
import HearthHTTP
import HearthIdentity
import HearthStorage
import HearthWire
import Testing

@testable import HearthDevicePlane
@testable import HearthManagement
@testable import HearthManagementTestSupport
@testable import HearthRouting
@testable import HearthServing

/// Parts of one upload that reach two servers.
@Suite("Several servers: uploads", .enabled(if: TestServers.canRun, "TEST_POSTGRES is not set"))
struct ServerUploadTests {
    private let servers: TestServers
    private let first: UploadSessions
    private let second: UploadSessions

    init() throws {
        servers = try TestServers()
        first = UploadSessions(
            services: servers.first.services.base, metadata: servers.first.services.metadata)
        second = UploadSessions(
            services: servers.second.services.base, metadata: servers.second.services.metadata)
    }

    private func begin() throws -> UploadSession {
        let now = servers.first.time.now.microseconds
        let session = UploadSession(
            id: "upload-1", projectID: "project-a", bucket: "b", name: "n", fileName: "n", contentType: "x",
            details: ObjectDetails(), conditions: ObjectConditions(), totalBytes: 10, crc32c: nil,
            createdMicroseconds: now, createdBy: "test", touchedMicroseconds: now)
        try servers.first.services.metadata.write { try $0.insert(session) }
        return session
    }

    @Test("Of two parts that arrive at two servers at once, one counts, and the other one is refused as busy")
    func parts() throws {
        let session = try begin()
        let next = try first.advance(session, to: 4, total: nil)
        let error = #expect(throws: APIError.self) { try second.advance(session, to: 6, total: nil) }
        #expect(error?.status == .unavailable)
        let known = try second.metadata.read { try $0.uploadSession(id: session.id) }
        #expect(known?.receivedBytes == 4)
        #expect(try second.advance(next, to: 10, total: nil).receivedBytes == 10)
    }

    @Test("A part of an upload that was cancelled at another server is refused as gone")
    func cancelled() throws {
        let session = try begin()
        try first.delete(session)
        let error = #expect(throws: APIError.self) { try second.advance(session, to: 6, total: nil) }
        #expect(error?.status == .notFound)
    }
}
