import HearthCatalog
import HearthCrypto
import HearthFiles
import HearthMaintenance
import HearthStorage
import HearthStorageSQLite
import HearthTestSupport
import HearthValidation
import HearthWire
import Testing

@Suite("Model files that no record names are in the trash for some days") struct TrashTests {
    @Test("The server deletes them after that time, n and n + 1 days")
    func time() throws {
        let bench = try MaintenanceFixture()
        let orphan = try bench.store("orphan")
        #expect(try bench.maintenance().run()?.trashed == 1)
        #expect(try !bench.has(orphan) && bench.isInTrash(orphan))
        #expect(try bench.maintenance(daysLater: 7).run() == Maintenance.Result())
        #expect(try bench.isInTrash(orphan))
        #expect(try bench.maintenance(daysLater: 8).run()?.blobs == 1)
        #expect(try !bench.isInTrash(orphan))
    }

    @Test("The server restores them with their bytes if a record names them again")
    func restored() throws {
        let bench = try MaintenanceFixture()
        let hash = try bench.upload("flowers", daysOld: 1)
        let object = bench.object("flowers", hash, daysOld: 1)
        try bench.metadata.write { try $0.delete(object) }
        #expect(try bench.maintenance().run()?.trashed == 1)
        // As when a database is restored, long after the files were due.
        try bench.metadata.write { try $0.put(object) }
        #expect(try bench.maintenance(daysLater: 9).run()?.restored == 1)
        #expect(try bench.has(hash) && !bench.isInTrash(hash))
        let blob = try bench.blobs.open(try #require(SHA256Digest(hex: hash)))
        #expect(blob.size == 7)
    }

    @Test("A start restores them before the first request")
    func atTheStart() throws {
        let bench = try MaintenanceFixture()
        let hash = try bench.upload("flowers", daysOld: 1)
        _ = try bench.blobs.moveToTrash([try #require(SHA256Digest(hex: hash))], atSeconds: 1)
        let files = TrashedFiles(metadata: bench.metadata, blobs: bench.blobs, blobLock: bench.blobLock)
        #expect(try files.restoreFromTrash() == 1)
        #expect(try files.restoreFromTrash() == 0)
        #expect(try bench.has(hash))
    }

    @Test("The same bytes, uploaded again, stay when those in the trash are deleted")
    func uploadedAgain() throws {
        let bench = try MaintenanceFixture()
        let hash = try bench.store("flowers")
        _ = try bench.maintenance().run()
        #expect(try bench.upload("flowers", daysOld: -1) == hash)
        #expect(try bench.maintenance(daysLater: 7).run()?.blobs == 0)
        #expect(try bench.maintenance(daysLater: 8).run()?.blobs == 1, "the copy in the trash")
        #expect(try bench.has(hash) && !bench.isInTrash(hash))
    }

    @Test("Many at once stay until an operator allows that many, n and n + 1")
    func tooMany() throws {
        let bench = try MaintenanceFixture()
        let hashes = try (0...20).map { try bench.store("orphan \($0)") }
        let result = try #require(try bench.maintenance().run())
        #expect(result.trashed == 0 && result.deferred.count == 21)
        #expect(result.deferred.text == "21 of 21 model files that no record names")
        #expect(try hashes.allSatisfy { try bench.has($0) })
        #expect(try bench.confirmation.read()?.count == 21)

        try bench.confirm("20 of 20 model files that no record names")
        #expect(try bench.maintenance().run()?.trashed == 0)
        #expect(try bench.maintenance().run()?.trashed == 0)
        try bench.confirmation.confirm(try #require(try bench.confirmation.read()))
        #expect(try bench.maintenance().run()?.trashed == 21)
        #expect(try bench.confirmation.read() == nil)
    }

    @Test("A confirmation is valid for one round")
    func oneRound() throws {
        let bench = try MaintenanceFixture()
        try bench.confirm("100 of 100 model files that no record names")
        _ = try bench.maintenance().run()
        for number in 0...20 { try bench.store("orphan \(number)") }
        #expect(try bench.maintenance().run()?.deferred.count == 21)
    }

    @Test("A confirmation during a round is for the next one")
    func duringARound() throws {
        let bench = try MaintenanceFixture()
        for number in 0...20 { try bench.store("orphan \(number)") }
        _ = try bench.maintenance().run()
        let waiting = try #require(try bench.confirmation.read())
        let metadata = RecordingMetadataStore(bench.metadata)
        metadata.afterReads = [1: { try bench.confirmation.confirm(waiting) }]
        #expect(try bench.maintenance(metadata).run()?.trashed == 0)
        #expect(try bench.maintenance().run()?.trashed == 21)
    }

    @Test("Where servers share the records, a confirmation is among them")
    func sharedConfirmation() throws {
        let bench = try MaintenanceFixture()
        let confirmation = RemovalConfirmation(RemovalMarks(bench.metadata))
        for number in 0...20 { try bench.store("orphan \(number)") }
        #expect(try bench.maintenance(confirmation: confirmation).run()?.trashed == 0)
        let waiting = try #require(try RemovalConfirmation(RemovalMarks(bench.metadata)).read())
        #expect(waiting.text == "21 of 21 model files that no record names")
        try RemovalConfirmation(RemovalMarks(bench.metadata)).confirm(waiting)
        #expect(try bench.maintenance(confirmation: confirmation).run()?.trashed == 21)
        #expect(try confirmation.read() == nil)
        // It was valid for that round.
        for number in 30...60 { try bench.store("orphan \(number)") }
        #expect(try bench.maintenance(confirmation: confirmation).run()?.trashed == 0)
    }

    @Test("A backup of what servers share uses up no confirmation")
    func confirmationDuringBackup() throws {
        let bench = try MaintenanceFixture()
        for number in 0...20 { try bench.store("orphan \(number)") }
        _ = try bench.maintenance().run()
        try bench.confirmation.confirm(try #require(try bench.confirmation.read()))
        let error = #expect(throws: StorageError.self) { try bench.maintenance(servers: ServersDuringBackup()).run() }
        #expect(error?.code == .unavailable)
        #expect(try bench.maintenance().run()?.trashed == 21)
    }

    /// A backup keeps the model files all the time.
    private struct ServersDuringBackup: ServerCoordination {
        let isShared = true
        func holds(_ job: ServerJob) -> Bool { true }
        func withBlobs<Result>(_ use: BlobUse, _ body: () throws -> Result) throws -> Result {
            guard use == .adding else { throw StorageError(.unavailable, "A backup runs") }
            return try body()
        }
        func claimValidation(of sha256: String) throws -> Bool { true }
        func renewClaims(of hashes: [String]) throws {}
        func releaseClaim(of sha256: String) {}
        func validationsElsewhere() throws -> Set<String> { [] }
    }

    @Test("A confirmation is for the kinds that it names")
    func kinds() throws {
        let bench = try MaintenanceFixture()
        for number in 0...20 {
            try bench.store("orphan \(number)")
            try bench.begin("session-\(number)", daysOld: 90)
        }
        try bench.confirm("21 of 21 model files that no record names")
        let result = try #require(try bench.maintenance().run())
        #expect(result.trashed == 21 && result.sessions == 0)
        #expect(result.deferred.text == "21 of 21 expired uploads in parts")
    }

    @Test("The stored form of what waits can be read again, also as earlier servers wrote it")
    func stored() {
        var limit = RemovalLimit(confirmed: DeferredRemovals())
        for (index, kind) in DeferredRemovals.Kind.allCases.enumerated() {
            _ = limit.allows(21 + index, of: 30 + index, kind)
        }
        #expect(limit.deferred.count == 21 + 22 + 23 + 24 + 25)
        #expect(DeferredRemovals(stored: limit.deferred.stored) == limit.deferred)
        #expect(
            limit.deferred.stored == """
                21 of 30 uploads that no version uses, 22 of 31 resumable uploads that nobody goes on with, 23 of 32 parts \
                of uploads without a record, 24 of 33 model files that no record names, 25 of 34 files that were set aside
                """)
        for text in ["", "21", "21 of 21", "x of 21 files that were set aside", "21 of 21 of something"] {
            #expect(DeferredRemovals(stored: text) == DeferredRemovals())
        }
    }

    @Test("What waits is shown in the words for operators, and unknown text as it is")
    func shown() {
        let known = RemovalConfirmation.Waiting(count: 21, stored: "21 of 30 files that were set aside")
        #expect(known.text == "21 of 30 files in the trash")
        let unknown = RemovalConfirmation.Waiting(count: 21, stored: "21 of 30 moons")
        #expect(unknown.text == "21 of 30 moons")
    }

    @Test("Twenty may go at any share, and a quarter at any number")
    func shares() throws {
        var limit = RemovalLimit(confirmed: DeferredRemovals())
        let good = [
            limit.allows(20, of: 20, .files), limit.allows(250, of: 1000, .files), limit.allows(21, of: 84, .strays),
        ]
        #expect(good == [true, true, true])
        #expect(limit.deferred.count == 0)
        let bad = [limit.allows(251, of: 1000, .files), limit.allows(21, of: 83, .trash)]
        #expect(bad == [false, false])
        #expect(limit.deferred.count == 272)
        var confirmed = RemovalLimit(confirmed: DeferredRemovals(stored: "251 of 900 model files that no record names"))
        let allowed = [confirmed.allows(251, of: 1000, .files), confirmed.allows(252, of: 1000, .uploads)]
        #expect(allowed == [true, false])
    }

    @Test("A clock that jumped far ahead removes no upload, no part of one and no file")
    func clock() throws {
        let bench = try MaintenanceFixture()
        let hashes = try (0...20).map { try bench.upload("file \($0)", daysOld: 0) }
        for number in 0...20 {
            try bench.begin("session-\(number)", daysOld: 0)
            let blob = try #require(try bench.blobs.resume("session-\(number)", from: 0, limitBytes: 100))
            try [UInt8(1)].withUnsafeBytes { try blob.write($0) }
            try blob.synchronize()
        }
        let result = try #require(try bench.maintenance(daysLater: 20 * 365).run())
        #expect(result.uploads == 0 && result.sessions == 0 && result.strays == 0 && result.trashed == 0)
        #expect(result.deferred.count == 42)
        #expect(try hashes.allSatisfy { try bench.has($0) })
        #expect(try bench.objects.count == 21)
        #expect(try bench.blobs.resumable().count == 21)
        // Right again, the clock finds nothing to do.
        #expect(try bench.maintenance().run() == Maintenance.Result())
        #expect(try bench.confirmation.read() == nil)
    }

    @Test("A clock that jumped deletes no large part of the trash at once")
    func clockAndTrash() throws {
        let bench = try MaintenanceFixture()
        let hashes = try (0...20).map { try bench.store("orphan \($0)") }
        try bench.confirm("21 of 21 model files that no record names")
        #expect(try bench.maintenance().run()?.trashed == 21)
        #expect(try bench.maintenance(daysLater: 20 * 365).run()?.deferred.text == "21 of 21 files in the trash")
        #expect(try hashes.allSatisfy { try bench.isInTrash($0) })
    }

    @Test("Many parts of uploads with lost records stay")
    func strays() throws {
        let bench = try MaintenanceFixture()
        for number in 0...20 {
            let blob = try #require(try bench.blobs.resume("stray-\(number)", from: 0, limitBytes: 100))
            try blob.synchronize()
        }
        #expect(try bench.maintenance().run()?.deferred.count == 21)
        #expect(try bench.blobs.resumable().count == 21)
    }

    @Test("Nothing is done while the folder may belong to another server")
    func notOurs() throws {
        let bench = try MaintenanceFixture()
        let orphan = try bench.store("orphan")
        let maintenance = Maintenance(
            metadata: bench.metadata, blobs: bench.blobs, blobLock: bench.blobLock,
            limits: MaintenanceRules.Limits(unusedUploadDays: 30, uploadSessionDays: 7), backupLock: nil,
            isAllowed: { false }, now: { Timestamp(microseconds: MaintenanceFixture.now) })
        #expect(try maintenance.run() == nil)
        #expect(try bench.has(orphan))
    }

    @Test("A folder or a link with the name of a model file stays where it is")
    func noRegularFile() throws {
        let bench = try MaintenanceFixture()
        let path = bench.folder.path + "/blobs/" + String(repeating: "ab", count: 32)
        try DiskFiles().makeFolder(path, mode: 0o700)
        #expect(try bench.maintenance().run()?.trashed == 0)
        #expect(PathKind(path) == .folder)
    }
}
