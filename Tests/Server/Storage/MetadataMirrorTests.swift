import HearthCatalog
import HearthStorage
import HearthStorageSQLite
import HearthTestSupport
import Testing

@testable import HearthStorageTestSupport

/// What a main server of either engine gives, and what a follower makes of it.
@Suite("Metadata: the copy of a follower") struct MetadataMirrorTests {
    private func makeMain(_ kind: MetadataKind) throws -> any MetadataStore {
        let store = try kind.makeStore()
        try store.write { store in
            for (id, name) in [(7, "flowers"), (8, "trees")] as [(Int64, String)] {
                try store.insert(Records.model(id, name))
                for number in 1...2 { try store.insert(Records.version(number, model: id)) }
                try store.insert(Records.release(1, model: id))
            }
            for device in [Pin.Device.tag("qa"), .tag("beta")] {
                try store.put(
                    Pin(
                        projectID: "project-a", device: device, target: .version(2, model: 7),
                        createdMicroseconds: 5, createdBy: "ann"))
            }
        }
        return store
    }

    private func copy(_ main: any MetadataStore, to follower: any MetadataStore, anew: Bool = false) throws {
        let records = try main.read { try $0.mirrorRecords() }
        #expect(records.formProblem == nil)
        try follower.write { try $0.replaceMirrored(records, anew: anew) }
        #expect(try follower.read { try $0.mirrorRecords() } == records)
    }

    private func served(_ store: any MetadataStore) throws -> [ServedRelease] {
        try store.read { try $0.servedReleases() }
    }

    @Test("A follower serves what the main server serves, after each change", arguments: MetadataKind.allCases)
    func changes(kind: MetadataKind) throws {
        let main = try makeMain(kind)
        let follower = try MetadataKind.sqlite.makeEmptyStore()
        try copy(main, to: follower)
        #expect(try served(follower) == served(main))
        #expect(try follower.read { try $0.pins(project: nil) } == main.read { try $0.pins(project: nil) })

        try follower.write { _ = try $0.insertIfAbsent([Records.installation("phone")]) }
        let revision = follower.servingRevision
        try main.write { store in
            try store.insert(Records.release(2, model: 7, version: 2))
            try store.delete(Records.model(8, "trees"))
        }
        try copy(main, to: follower)
        #expect(try served(follower) == served(main))
        #expect(follower.servingRevision > revision)
        // What is not copied stays.
        #expect(try follower.read { try $0.installation(fid: "phone", project: "project-a") } != nil)
        #expect(try follower.read { try $0.installationCount(project: "project-a") } == 1)
    }

    @Test("A deleted project takes its installations with it")
    func project() throws {
        let main = try MetadataKind.sqlite.makeStore()
        let follower = try MetadataKind.sqlite.makeEmptyStore()
        try copy(main, to: follower)
        try follower.write { _ = try $0.insertIfAbsent([Records.installation("phone", project: "project-b")]) }
        try main.write { try $0.delete(Records.project("project-b", number: 2)) }
        try copy(main, to: follower)
        #expect(try follower.read { try $0.projects().map(\.id) } == ["project-a"])
    }

    @Test("Models that exchanged their names are written anew")
    func exchange() throws {
        let main = try makeMain(.sqlite)
        let follower = try MetadataKind.sqlite.makeEmptyStore()
        try copy(main, to: follower)
        try follower.write { _ = try $0.insertIfAbsent([Records.installation("phone")]) }
        let (flowers, trees) = (Records.model(7, "flowers"), Records.model(8, "trees"))
        try main.write { store in
            for (id, name) in [(7, "other"), (8, "flowers"), (7, "trees")] as [(Int64, String)] {
                var model = id == 7 ? flowers : trees
                model.displayName = name
                try store.update(model)
            }
        }
        #expect(code { try copy(main, to: follower) } == .conflict)
        try copy(main, to: follower, anew: true)
        #expect(try follower.read { try $0.model(displayName: "trees", project: "project-a")?.id } == 7)
        #expect(try follower.read { try $0.installationCount(project: "project-a") } == 1)
    }

    @Test("Records that refer to nothing are refused, and the copy stays")
    func broken() throws {
        let main = try makeMain(.sqlite)
        let follower = try MetadataKind.sqlite.makeEmptyStore()
        try copy(main, to: follower)
        let before = try served(follower)
        var records = try main.read { try $0.mirrorRecords() }
        records[.version] = []
        #expect(code { try follower.write { try $0.replaceMirrored(records, anew: false) } } != nil)
        #expect(try served(follower) == before)
        records = try main.read { try $0.mirrorRecords() }
        records[.release][0][0] = .text("7")
        #expect(records.formProblem == "a row of the table release has another form")
        records[.release][0].removeLast()
        #expect(records.formProblem != nil)
        #expect(MirrorRecords().formProblem != nil)
    }

    @Test("Installations come in pages, in order of their time", arguments: MetadataKind.allCases)
    func installations(kind: MetadataKind) throws {
        let store = try kind.makeStore()
        let all = [("c", 5), ("a", 7), ("b", 7), ("d", 7), ("e", 9)].map { id, time in
            Installation(projectID: "project-a", fid: id, appID: "app", createdMicroseconds: Int64(time))
        }
        #expect(try store.write { try $0.insertIfAbsent(all.shuffled()) } == 5)
        // Again, and one of a project that does not exist.
        let lost = Installation(projectID: "project-z", fid: "a", appID: "app", createdMicroseconds: 1)
        #expect(try store.write { try $0.insertIfAbsent(all + [lost]) } == 0)
        var found: [Installation] = []
        var cursor = InstallationCursor.start
        while true {
            let page = try store.read { try $0.installations(after: cursor, limit: 2) }
            guard let last = page.last else { break }
            found += page
            cursor = InstallationCursor(
                createdMicroseconds: last.createdMicroseconds, projectID: last.projectID, fid: last.fid)
        }
        #expect(found == all)
        #expect(try store.read { try $0.installationCount(project: "project-a") } == 5)
    }

    @Test("An installation is unsent until that is noted, or it is deleted", arguments: MetadataKind.allCases)
    func unsent(kind: MetadataKind) throws {
        let store = try kind.makeStore()
        let all = [("d", "project-b"), ("c", "project-a"), ("b", "project-a"), ("a", "project-a")].enumerated().map {
            Installation(projectID: $1.1, fid: $1.0, appID: "app", createdMicroseconds: Int64($0))
        }
        try store.write { store in
            for installation in all {
                try store.insert(installation)
                try store.noteUnsent(installation)
            }
            // From elsewhere.
            _ = try store.insertIfAbsent([Records.installation("e")] + all)
        }
        #expect(try store.read { try $0.unsentInstallations(limit: 2) } == Array(all[..<2]))
        try store.write { try $0.noteSent([all[1], Records.installation("e")]) }
        #expect(try store.read { try $0.unsentInstallations(limit: 9) } == [all[0], all[2], all[3]])
        try store.write { try $0.delete(all[2]) }
        try store.write { try $0.delete(Records.project("project-b", number: 2)) }
        #expect(try store.read { try $0.unsentInstallations(limit: 9) } == [all[3]])
        #expect(try store.read { try $0.installationCount(project: "project-a") } == 3)
    }
}
