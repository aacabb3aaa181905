import HearthCatalog
import HearthCrypto
import HearthFiles
import HearthMaintenance
import HearthStorage
import Testing

@Suite("Maintenance") struct MaintenanceTests {
    @Test("Uploads that no version uses are removed after some days, n and n + 1")
    func unused() throws {
        let bench = try MaintenanceFixture()
        let old = try bench.upload("old", daysOld: 31)
        let young = try bench.upload("young", daysOld: 30)
        let used = try bench.upload("used", daysOld: 90)
        try bench.makeModel("flowers", of: "used", used)
        let result = try #require(try bench.maintenance().run())
        #expect(result.uploads == 1 && result.validations == 1 && result.trashed == 1)
        #expect(try bench.objects == ["used", "young"])
        #expect(try !bench.has(old) && bench.has(young) && bench.has(used))
        let audit = try bench.metadata.read { try $0.audit(project: "project-a", before: nil, limit: 9) }
        #expect(audit.map(\.action) == ["file.expire"] && audit.first?.subject == "gs://bucket/old")
        #expect(try bench.maintenance().run() == Maintenance.Result(), "a second round finds nothing")
    }

    @Test("An object whose name got other bytes since is unused, however many versions its name had")
    func replacedObject() throws {
        let bench = try MaintenanceFixture()
        let first = try bench.upload("flowers", daysOld: 90)
        try bench.makeModel("flowers", of: "flowers", first)
        let second = try bench.store("other bytes")
        try bench.metadata.write { try $0.put(bench.object("flowers", second, daysOld: 31)) }
        #expect(try bench.maintenance().run()?.uploads == 1)
        #expect(try bench.has(first) && !bench.has(second))
    }

    @Test("The bytes of a deleted model are removed if nothing else has them")
    func deletedModel() throws {
        let bench = try MaintenanceFixture()
        let alone = try bench.upload("alone", daysOld: 40)
        let shared = try bench.upload("shared", daysOld: 40)
        let model = try bench.makeModel("a", of: "alone", alone)
        let other = try bench.makeModel("b", of: "shared", shared)
        try bench.makeModel("c", of: "shared", shared)
        try bench.metadata.write { store in
            try store.delete(model)
            try store.delete(other)
        }
        _ = try bench.maintenance().run()
        #expect(try !bench.has(alone) && bench.has(shared))
    }

    @Test("Bytes without a record are removed; those of uploads stay, whatever their verdict")
    func blobs() throws {
        let bench = try MaintenanceFixture()
        let orphan = try bench.store("orphan")
        let pending = try bench.upload("pending", daysOld: 1, verdict: .pending)
        let noModel = try bench.upload("no model", daysOld: 30, verdict: .malformed("no"))
        #expect(try bench.maintenance().run()?.trashed == 1)
        #expect(try !bench.has(orphan) && bench.has(pending) && bench.has(noModel))
    }

    @Test("A file that is no model goes when other unused uploads go, together with its record")
    func noModel() throws {
        let bench = try MaintenanceFixture()
        let old = try bench.upload("old", daysOld: 31, verdict: .malformed("no"))
        let result = try #require(try bench.maintenance().run())
        #expect(result.uploads == 1 && result.trashed == 1)
        #expect(try !bench.has(old) && bench.objects.isEmpty)
    }

    @Test("Publishers and uploads get through while much is removed")
    func batches() throws {
        let bench = try MaintenanceFixture()
        let metadata = RecordingMetadataStore(bench.metadata)
        for number in 0..<130 {
            try bench.upload("old \(number)", daysOld: 90)
            try bench.store("orphan \(number)")
        }
        try bench.confirm("130 of 130 uploads that no version uses, 260 of 260 model files that no record names")
        let result = try #require(try bench.maintenance(metadata).run())
        #expect(result.uploads == 130 && result.validations == 130 && result.trashed == 260)
        #expect(metadata.writes.max() ?? 0 <= 64)
        // Three each for the uploads and the verdicts, one for the counts of events.
        #expect(metadata.writes.count == 7)
    }

    @Test("What is needed again between the search and the removal stays")
    func cameBack() throws {
        let bench = try MaintenanceFixture()
        let used = try bench.upload("used", daysOld: 90)
        let replaced = try bench.upload("replaced", daysOld: 90)
        let newer = try bench.store("newer")
        let orphan = try bench.store("orphan")
        let metadata = RecordingMetadataStore(bench.metadata)
        metadata.afterReads = [
            1: {
                try bench.makeModel("flowers", of: "used", used)
                try bench.metadata.write { try $0.put(bench.object("replaced", newer, daysOld: 0)) }
            },
            // The last search before bytes are removed.
            7: { try bench.metadata.write { try $0.put(bench.object("orphan", orphan, daysOld: 0)) } },
        ]
        let result = try #require(try bench.maintenance(metadata).run())
        #expect(metadata.afterReads.isEmpty)
        #expect(result.uploads == 0)
        #expect(try bench.objects == ["orphan", "replaced", "used"])
        #expect(try bench.has(used) && bench.has(orphan) && bench.has(newer) && !bench.has(replaced))
    }

    @Test("Uploads in progress lose nothing; expired and stray ones are removed")
    func sessions() throws {
        let bench = try MaintenanceFixture()
        for (id, days) in [("young", 7), ("old", 8)] as [(String, Int64)] {
            try bench.begin(id, daysOld: days)
            try write("part", to: id, bench)
        }
        try write("part", to: "stray", bench)
        // All bytes have arrived and have their name; the record of the object is not written yet.
        let arriving = try bench.store("arriving")
        try bench.begin("arriving", daysOld: 0, sha256: arriving)
        let incoming = try bench.blobs.begin(limitBytes: 100)
        try Array("incoming".utf8).withUnsafeBytes { try incoming.write($0) }
        let digest = try incoming.seal().sha256

        let result = try #require(try bench.maintenance().run())
        #expect(result.sessions == 1 && result.strays == 2 && result.trashed == 0)
        #expect(try bench.blobs.resumable() == ["young"])
        #expect(try bench.has(arriving))
        try incoming.commit()
        #expect(try bench.has(digest.hex))
    }

    @Test("Each of several servers removes its own files of uploads that have ended, and no others")
    func localStrays() throws {
        let bench = try MaintenanceFixture()
        try bench.begin("young", daysOld: 1)
        for id in ["young", "ended", "ended-elsewhere"] { try write("part", to: id, bench) }
        let blobs = BlobsOfServers(base: bench.blobs, here: ["young", "ended"])
        #expect(try bench.maintenance(blobs: blobs).removeLocalStrays() == 1)
        #expect(try bench.blobs.resumable().sorted() == ["ended-elsewhere", "young"])
        #expect(try bench.maintenance(blobs: blobs).removeLocalStrays() == 0)
    }

    @Test("While a backup runs nothing is removed")
    func backup() throws {
        let bench = try MaintenanceFixture()
        let orphan = try bench.store("orphan")
        let lock = try FileLock.tryAcquire(bench.backupLock)
        #expect(lock != nil)
        #expect(try withExtendedLifetime(lock) { try bench.maintenance().run() } == nil)
        #expect(try bench.has(orphan))
    }

    @Test("After the backup the next round works again")
    func afterBackup() throws {
        let bench = try MaintenanceFixture()
        let orphan = try bench.store("orphan")
        do { _ = try FileLock.tryAcquire(bench.backupLock) }
        #expect(try bench.maintenance().run()?.trashed == 1)
        #expect(try !bench.has(orphan))
    }

    @Test("A limit of any length is safe to count with")
    func hugeLimits() {
        let limits = MaintenanceRules.Limits(unusedUploadDays: .max, uploadSessionDays: .max)
        let object = UploadedObject(
            projectID: "p", bucket: "b", name: "n", sha256: "", sizeBytes: 0, crc32c: 0, createdMicroseconds: .min + 1)
        #expect(MaintenanceRules.unusedCandidates([object], limits: limits, nowMicroseconds: .max).isEmpty)
    }

    private func write(_ text: String, to id: String, _ bench: MaintenanceFixture) throws {
        let blob = try #require(try bench.blobs.resume(id, from: 0, limitBytes: 100))
        try Array(text.utf8).withUnsafeBytes { try blob.write($0) }
        try blob.synchronize()
    }
}
