import HearthCatalog
import HearthStorage
import Testing

@testable import HearthStorageTestSupport

/// What servers over one database tell each other.
@Suite("Metadata: what servers share") struct MetadataSharedMemoryTests {
    private func makeStore(_ kind: MetadataKind) throws -> any MetadataStore {
        let store = try kind.makeStore()
        try store.write { store in
            try store.insert(Records.account("ann"))
            try store.insert(Records.accountKey("k", email: "ann", clientID: "c"))
            try store.insert(Records.model(7, "flowers"))
            try store.insert(Records.version(1, model: 7))
            try store.insert(Records.release(1, model: 7))
            for id in ["s", "t"] {
                try store.insert(
                    ConsoleSession(
                        id: id, secretHash: "hash", credential: .accountKey(id: "k", isReadOnly: false),
                        createdMicroseconds: 1, usedMicroseconds: 1, endsMicroseconds: 100, address: "::1", browser: "x"
                    ))
            }
        }
        return store
    }

    @Test("Pieces of sightings are taken out once, and go with their release", arguments: MetadataKind.allCases)
    func sightings(kind: MetadataKind) throws {
        let store = try makeStore(kind)
        let revision = store.servingRevision
        try store.write { store in
            for byte: UInt8 in 1...3 {
                try store.insert(RolloutSightings(id: 0, modelID: 7, release: 1, observations: [byte, 0]))
            }
        }
        #expect(store.servingRevision == revision, "devices are served nothing else for that")
        let ids = try store.read { try $0.rolloutSightingIDs() }
        #expect(ids.count == 3 && ids == ids.sorted())
        let second = try store.read { try $0.rolloutSightings(id: ids[1]) }
        #expect(second == RolloutSightings(id: ids[1], modelID: 7, release: 1, observations: [2, 0]))
        #expect(try store.write { try $0.deleteRolloutSightings([ids[0], ids[1]]) } == 2)
        #expect(try store.write { try $0.deleteRolloutSightings([ids[1]]) } == 0)
        #expect(try store.read { try $0.rolloutSightingIDs() } == [ids[2]])
        try store.write { try $0.deleteRolloutWatch(of: 1, model: 7) }
        #expect(try store.read { try $0.rolloutSightingIDs() } == [])
        try store.write { store in
            try store.insert(RolloutSightings(id: 0, modelID: 7, release: 1, observations: [9]))
            try store.delete(Records.model(7, "flowers"))
        }
        #expect(try store.read { try $0.rolloutSightingIDs() } == [])
    }

    private func value(_ name: String, _ text: String, of session: String = "s", at time: Int64) -> ConsoleValue {
        ConsoleValue(sessionID: session, name: name, value: text, usedMicroseconds: time)
    }

    @Test("Values of the console are limited, and go with their session", arguments: MetadataKind.allCases)
    func consoleValues(kind: MetadataKind) throws {
        let store = try makeStore(kind)
        try store.write { store in
            for time: Int64 in 1...3 { try store.put(value("draft \(time)", "x", at: time)) }
            try store.put(value("draft 1", "newer", at: 4))
            try store.put(value("draft 1", "of another", of: "t", at: 5))
            try store.put(value("form 1", "x", at: 1))
            try store.trimConsoleValues(
                beginningWith: "draft ", session: "s", mostOfSession: 2, mostCharacters: nil)
        }
        func known(_ name: String, _ session: String = "s") throws -> String? {
            try store.read { try $0.consoleValue(name, session: session) }?.value
        }
        #expect(try known("draft 1") == "newer" && known("draft 3") == "x" && known("draft 2") == nil)
        #expect(try known("draft 1", "t") == "of another" && known("form 1") == "x")
        try store.write {
            try $0.trimConsoleValues(beginningWith: "draft ", session: "s", mostOfSession: 2, mostCharacters: 15)
        }
        #expect(try known("draft 1", "t") == "of another" && known("draft 1") == "newer" && known("draft 3") == nil)
        #expect(try store.write { try $0.deleteConsoleValue("draft 1", session: "s") })
        #expect(try !store.write { try $0.deleteConsoleValue("draft 1", session: "s") })
        try store.write { store in
            _ = try store.deleteEndedConsoleAccess(
                nowMicroseconds: 100, unusedSinceMicroseconds: 0, knownMicroseconds: 0)
        }
        #expect(try known("draft 1", "t") == nil && known("form 1") == nil)
    }

    @Test("The newest call of each installation is kept, of so many", arguments: MetadataKind.allCases)
    func recentCalls(kind: MetadataKind) throws {
        let store = try makeStore(kind)
        func call(_ installation: String, at time: Int64, project: String = "project-a") -> RecentCall {
            RecentCall(
                projectID: project, model: "flowers", installation: installation, facts: "{}", atMicroseconds: time)
        }
        try store.write {
            try $0.put([call("a", at: 5), call("b", at: 3), call("x", at: 9, project: "none")], keeping: 9)
        }
        try store.write { try $0.put([call("a", at: 4), call("b", at: 6), call("c", at: 1)], keeping: 2) }
        func known() throws -> [RecentCall] {
            try store.read { try $0.recentCalls(project: "project-a", model: "flowers") }
        }
        #expect(try known() == [call("b", at: 6), call("a", at: 5)])
        #expect(try store.read { try $0.recentCall("a", project: "project-a", model: "flowers") } == call("a", at: 5))
        try store.write { try $0.deleteRecentCalls(of: "a", project: "project-a") }
        #expect(try known() == [call("b", at: 6)])
    }

    @Test("What a server says about its rehearsals", arguments: MetadataKind.allCases)
    func openRehearsals(kind: MetadataKind) throws {
        let store = try makeStore(kind)
        func rehearsal(_ id: String, _ server: String, _ body: String = "{}", at time: Int64 = 5) -> OpenRehearsal {
            OpenRehearsal(id: id, server: server, modelID: 7, body: body, touchedMicroseconds: time)
        }
        func known() throws -> [OpenRehearsal] { try store.read { try $0.openRehearsals(model: 7) } }
        try store.write { store in
            try store.put(rehearsal("b", "x"))
            try store.put(rehearsal("a", "y", at: 3))
            try store.put(rehearsal("a", "x"))
            try store.put(rehearsal("a", "x", "newer"))
            var other = rehearsal("c", "x")
            other.modelID = 8
            try store.put(other)
        }
        #expect(try known() == [rehearsal("a", "x", "newer"), rehearsal("a", "y", at: 3), rehearsal("b", "x")])
        try store.write { try $0.deleteOpenRehearsals(untouchedSinceMicroseconds: 4) }
        try store.write { try $0.deleteOpenRehearsal("b", server: "x") }
        #expect(try known() == [rehearsal("a", "x", "newer")])
        try store.write { try $0.delete(Records.model(7, "flowers")) }
        #expect(try known() == [])
    }
}
