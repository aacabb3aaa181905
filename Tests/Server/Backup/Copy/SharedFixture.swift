import Foundation
import HearthCatalog
import HearthCrypto
import HearthFiles
import HearthStorage
import HearthStorageS3
import HearthStorageS3TestSupport
import HearthStorageSQL
import HearthStorageSQLite
import HearthStorageTestSupport
import HearthTestSupport
import HearthWire
import Testing

@testable import HearthBackup
@testable import HearthStoragePostgres

/// An empty database and an empty place in a store, that are real.
struct SharedFixture {
    static let isThere = TestDatabase.server != nil && !RealStore.present.isEmpty
    static let absence: Comment = "set TEST_POSTGRES and TEST_RADOSGW, or run scripts/engines"

    let database: TestDatabase
    let client: S3Client
    let place: SharedPlace

    init() throws {
        let store = try #require(RealStore.present.first)
        database = try TestDatabase()
        client = try store.client()
        let configuration = client.configuration
        place = try SharedPlace(
            database: database.url,
            blobs: "s3://\(configuration.bucket)/\(configuration.prefix)?endpoint=\(configuration.endpoint)",
            environment: store.environment)
    }

    func verify(quick: Bool = false) throws -> DataVerifier.Report { try SharedDataVerifier(place).run(quick: quick) }

    func tables() throws -> PostgresTables { try PostgresTables(database.configuration, createsTables: true) }
}

/// What a copy meets.
extension SampleData {
    /// So that it is more than one batch.
    func addInstallations(_ count: Int) throws {
        try store.write { store in
            for number in 0..<count {
                try store.insert(
                    Installation(
                        projectID: "project-a", fid: "device-\(number)-ß'\\\"", appID: "1:1:ios:a",
                        createdMicroseconds: Int64(number)))
            }
        }
    }

    /// Its servers may continue, and change something.
    func allowChanges() throws { try ReadOnlyMode(.folder(path)).end() }
}
