import HearthStorage
import HearthStorageSQLite
import Testing

@testable import HearthServer

/// Which data folders a server starts over.
struct StartDecisionTests {
    private static let mine = "id-of-this-folder"

    /// A folder at rest: a database of one project, two model files that it names, keys and credentials.
    private static let whole: DataFolderContents = {
        var facts = DataFolderContents()
        facts.database = .hearth(.init(folderID: mine, projects: ["mine"], neededFiles: ["a", "b"]))
        facts.blobs = .init(place: .folder, folderID: mine, entryCount: 2, files: ["a", "b"])
        facts.keys = ["signing-secret"]
        facts.credentials = ["admin-service-account.json", "GoogleService-Info.plist"]
        return facts
    }()

    private func decision(_ change: (inout DataFolderContents) -> Void) -> StartDecision {
        var facts = Self.whole
        change(&facts)
        return StartDecision(facts)
    }

    /// Nothing but this, in a folder that is there.
    private func decision(of database: DatabaseStatus, _ change: (inout DataFolderContents) -> Void = { _ in })
        -> StartDecision
    {
        var facts = DataFolderContents()
        facts.database = database
        change(&facts)
        return StartDecision(facts)
    }

    private func isRefused(_ decision: StartDecision) -> Bool {
        if case .refuse = decision { true } else { false }
    }

    @Test func aWholeFolderIsServed() {
        #expect(StartDecision(Self.whole) == .serve)
        #expect(decision { $0.keys = [] } == .serve, "a new secret is made")
        #expect(decision { $0.credentials = [] } == .serve, "they were moved to where they are needed")
        #expect(decision { $0.blobs.files = ["a"] } == .serve, "a damaged folder serves what it has")
        #expect(decision { $0.blobs.files = [] } == .serve, "the file that names the folder is there")
        #expect(decision { $0.foreignEntry = "notes.txt" } == .serve)
        #expect(decision { $0.databaseLogs = ["hearth.sqlite-wal"] } == .serve)
    }

    @Test func aFolderIsServedForItsOwnProjectsOnly() {
        var facts = Self.whole
        facts.database = .hearth(
            .init(folderID: Self.mine, projects: ["old-one", "new-one"], formerProjects: ["gone-one"]))
        for id in ["old-one", "new-one", "gone-one"] { #expect(StartDecision(facts, projectID: id) == .serve) }
        #expect(
            StartDecision(facts, projectID: "other-one")
                == .refuse(.folderIsOfAnotherProject("old-one", wanted: "other-one")))
        #expect(StartDecision(DataFolderContents(), projectID: "other-one") == .firstStart)
    }

    @Test func anEmptyFolderIsBegun() {
        #expect(decision(of: .absent) == .firstStart)
        #expect(decision(of: .absent) { $0.blobs.place = .folder } == .firstStart)
    }

    /// In the order in which a first start makes them.
    @Test func aFirstStartThatWasCutShortIsFinished() {
        #expect(decision(of: .empty) == .firstStart)
        #expect(decision(of: .empty) { $0.databaseLogs = ["hearth.sqlite-journal"] } == .firstStart)
        #expect(decision(of: .blank) { $0.databaseLogs = ["hearth.sqlite-wal"] } == .firstStart)
        let begun = DatabaseStatus.hearth(.init(folderID: Self.mine, projects: []))
        #expect(decision(of: begun) == .firstStart)
        let pending = [
            "admin-service-account.json.pending-" + Self.mine, "GoogleService-Info.plist.pending-" + Self.mine,
            "GoogleService-Info.plist.pending-" + Self.mine + ".new-03w5e11264sgs.hearth",
        ]
        for count in 0...pending.count {
            #expect(
                decision(of: begun) { facts in
                    facts.blobs = .init(place: .folder, folderID: Self.mine)
                    facts.keys = ["signing-secret"]
                    facts.credentials = Array(pending.prefix(count))
                } == .firstStart)
        }
        #expect(decision { $0.credentials = pending } == .serve, "recorded, and not moved yet")
    }

    @Test(arguments: [DatabaseStatus.absent, .empty, .blank])
    func aLostDatabaseIsNotBegunAnew(database: DatabaseStatus) {
        #expect(isRefused(decision { $0.database = database }))
        let changes: [(inout DataFolderContents) -> Void] = [
            { $0.blobs = .init(place: .folder, entryCount: 1) }, { $0.blobs = .init(place: .folder, folderID: "x") },
            { $0.keys = ["signing-secret"] }, { $0.credentials = ["admin-service-account.json"] },
            { $0.credentials = ["admin-service-account.json.pending-x"] },
        ]
        for change in changes { #expect(isRefused(decision(of: database, change))) }
    }

    @Test func aLogWithoutItsDatabaseIsKept() {
        for database in [DatabaseStatus.absent, .empty] {
            #expect(isRefused(decision(of: database) { $0.databaseLogs = ["hearth.sqlite-wal"] }))
        }
        #expect(isRefused(decision(of: .absent) { $0.databaseLogs = ["hearth.sqlite-journal"] }))
    }

    @Test func aDatabaseOfNoProjectIsNotPutBesideOtherFiles() {
        let begun = DatabaseStatus.hearth(.init(folderID: Self.mine, projects: []))
        let changes: [(inout DataFolderContents) -> Void] = [
            { $0.blobs = .init(place: .folder, entryCount: 1) },
            { $0.blobs = .init(place: .folder, folderID: "of another folder") },
            { $0.credentials = ["admin-service-account.json"] },
            { $0.credentials = ["admin-service-account.json.pending-other"] },
        ]
        for change in changes { #expect(isRefused(decision(of: begun, change))) }
        let older = DatabaseStatus.hearth(.init(folderID: nil, projects: []))
        #expect(decision(of: older) { $0.keys = ["signing-secret"] } == .firstStart)
        #expect(isRefused(decision(of: older) { $0.credentials = ["admin-service-account.json.pending-x"] }))
    }

    @Test func databasesThatAreNoneAreRefused() {
        let findings: [DatabaseStatus] = [
            .notAFile("a link"), .unreadable("Permission denied"), .foreign, .damaged("x"), .newer(schema: 99),
        ]
        for finding in findings {
            #expect(isRefused(decision { $0.database = finding }))
            #expect(isRefused(decision(of: finding)))
        }
    }

    @Test func aDatabaseOfAnotherFolderIsRefused() {
        let other = DatabaseStatus.hearth(.init(folderID: "other", projects: ["mine"], neededFiles: ["a", "b"]))
        #expect(
            decision { $0.database = other } == .refuse(.databaseIsOfAnotherFolder(database: "other", blobs: Self.mine))
        )
        #expect(isRefused(decision { $0.blobs.folderID = "" }), "a damaged file of the folder's name")
    }

    /// An older Hearth gave folders no names: whether the database names files that are there tells.
    @Test func anOlderFolderIsJudgedByItsFiles() {
        func older(_ needed: Set<String>, _ files: Set<String>) -> StartDecision {
            decision { facts in
                facts.database = .hearth(.init(folderID: nil, projects: ["mine"], neededFiles: needed))
                facts.blobs = .init(place: .folder, entryCount: files.count, files: files)
            }
        }
        #expect(older(["a", "b"], ["a", "b"]) == .serve)
        #expect(older(["a", "b"], ["b", "c"]) == .serve)
        #expect(older([], []) == .serve)
        #expect(older(["a"], ["c", "d"]) == .refuse(.databaseIsOfOtherFiles(2)))
        #expect(older([], ["c"]) == .refuse(.databaseIsOfOtherFiles(1)))
        #expect(older(["a"], []) == .refuse(.modelFilesAreMissing(1, folderID: nil)))
        #expect(
            decision { facts in
                facts.database = .hearth(.init(folderID: nil, projects: ["mine"], knownFiles: ["malformed"]))
                facts.blobs = .init(place: .folder, entryCount: 1, files: ["malformed"])
            } == .serve, "what it has known is its own")
    }

    @Test func aSecretThatWasPutThereBeforehandIsRefusedWithAWayOut() {
        guard case .refuse(let refusal) = decision(of: .absent, { $0.keys = ["signing-secret"] }) else {
            Issue.record("it is begun")
            return
        }
        let text = refusal.text(DataLayout("/data"))
        #expect(text.contains("1 file in keys") && text.contains("move them away"))
        #expect(text.contains("To use another one, stop the server after that start and replace the secret"))
    }

    @Test func lostModelFilesAreMissed() {
        for place in [DataFolderContents.Blobs.Place.absent, .folder] {
            #expect(
                decision { $0.blobs = .init(place: place) }
                    == .refuse(.modelFilesAreMissing(2, folderID: Self.mine)))
        }
        #expect(isRefused(decision { $0.blobs = .init(place: .brokenLink) }))
        #expect(isRefused(decision { $0.blobs = .init(place: .somethingElse) }))
        // As a restored backup has them.
        #expect(decision { $0.blobs.folderID = nil } == .serve)
    }

    @Test func aFolderOfSomethingElseIsRefused() {
        for database in [DatabaseStatus.absent, .empty, .blank] {
            #expect(decision(of: database) { $0.foreignEntry = "thesis.txt" } == .refuse(.foreignFolder("thesis.txt")))
        }
    }
}
