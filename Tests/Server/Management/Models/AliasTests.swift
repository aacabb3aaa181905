import HearthCalls
import HearthCatalog
import HearthHTTP
import HearthIdentity
import HearthManagement
import HearthRouting
import HearthStorage
import HearthWire
import Testing

@testable import HearthManagementTestSupport

@Suite("Aliases and notes of versions") struct AliasTests {
    private let service: TestService
    private let id: String

    init() throws {
        service = try TestService()
        id = try service.makeModel("flowers", FakeProbe.ok("1"), isPublished: true)
        try service.makeVersion(id, FakeProbe.ok("2"))
    }

    private func call(_ method: HTTPMethod, _ path: String, _ json: String = "") throws -> TestResponse {
        try service.hearthAdmin(method, "models/\(id)/\(path)", json)
    }

    private func put(_ alias: String, _ version: Int) throws -> TestResponse {
        try call(.put, "aliases/\(alias)", #"{"version":\#(version)}"#)
    }

    private var versions: [ReleaseBodies.Version] {
        get throws {
            try WireJSON.decode(ReleaseBodies.VersionList.self, from: call(.get, "versions").body).versions ?? []
        }
    }

    /// Action and detail of the last entries of the audit log, the oldest first.
    private func audit(_ count: Int) throws -> [String] {
        try service.services.metadata.read { try $0.audit(project: "project-a", before: nil, limit: count) }
            .map { "\($0.action) \($0.detail)" }.reversed()
    }

    @Test("An alias names one version, moves with one call, and each change is in the audit log")
    func move() throws {
        let made = try put("champion", 1)
        #expect(made.status == 200 && made.string("alias") == "champion" && made["version"] as? Int == 1)
        #expect(made["previousVersion"] == nil)
        #expect(try put("stable", 1).status == 200)
        #expect(try versions.map(\.aliases) == [nil, ["champion", "stable"]])
        service.time.advance(seconds: 1)
        let moved = try put("champion", 2)
        #expect(moved["version"] as? Int == 2 && moved["previousVersion"] as? Int == 1)
        #expect(try versions.map(\.aliases) == [["champion"], ["stable"]])
        #expect(try put("champion", 2)["unchanged"] as? Bool == true)
        let listed = try WireJSON.decode(AliasBodies.List.self, from: call(.get, "aliases").body).aliases ?? []
        #expect(listed.map(\.alias) == ["champion", "stable"] && listed.map(\.version) == [2, 1])
        #expect(listed[0].updateTime > listed[1].updateTime)
        #expect(try call(.delete, "aliases/champion")["version"] as? Int == 2)
        try call(.delete, "aliases/champion").expectRefusal(
            404, "NOT_FOUND", "The model 'flowers' has no alias 'champion'.")
        #expect(
            try audit(4) == [
                "version.alias champion: version 1", "version.alias stable: version 1",
                "version.alias champion: version 2, was version 1", "version.unalias champion, was version 2",
            ])
        #expect(try versions.map(\.aliases) == [nil, ["stable"]])
    }

    @Test("A version is read by its alias, which follows the alias; health takes it too")
    func read() throws {
        _ = try put("champion", 1)
        #expect(try call(.get, "versions/champion")["version"] as? Int == 1)
        #expect(try call(.get, "versions/2")["aliases"] == nil)
        _ = try put("champion", 2)
        #expect(try call(.get, "versions/champion")["version"] as? Int == 2)
        #expect(try call(.get, "health?version=champion").status == 200)
        try call(.get, "health?version=stable").expectRefusal(404, "NOT_FOUND")
        try call(.get, "versions/stable").expectRefusal(
            404, "NOT_FOUND", "The model 'flowers' has no alias 'stable'.")
        try call(.get, "versions/Champion").expectRefusal(
            400, "INVALID_ARGUMENT", "A version is named by its number, or by an alias.")
    }

    @Test("An alias changes nothing for devices and nothing in the model")
    func effect() throws {
        let before = try service.admin(.get, "models/\(id)").text
        let revision = service.services.metadata.servingRevision
        _ = try put("champion", 2)
        #expect(try service.admin(.get, "models/\(id)").text == before)
        #expect(service.services.metadata.servingRevision == revision)
    }

    @Test(
        "What is no alias",
        arguments: ["3", "2x", "-x", "Champion", "a_b", "a.b", String(repeating: "a", count: 33), "a%20b", "%C3%A4"])
    func names(name: String) throws {
        try put(name, 1).expectRefusal(
            400, "INVALID_ARGUMENT",
            "An alias has 1 to 32 small letters, digits and hyphens, of which the first is a letter.")
        #expect(try put(String(repeating: "a", count: 32), 1).status == 200)
        #expect(try put("q3-2026", 1).status == 200)
    }

    @Test("At most 20; moving one stays possible; what is not there or malformed gets none")
    func limits() throws {
        for number in 1...VersionAlias.limit { #expect(try put("a\(number)", 1).status == 200) }
        let refused = try put("one-more", 1)
        #expect(refused.status == 400 && refused.string("error.message")?.contains("at most 20 aliases") == true)
        #expect(try put("a7", 2).status == 200)
        try put("a7", 9).expectRefusal(404, "NOT_FOUND", "The model 'flowers' has no version 9.")
        try service.makeVersion(id, FakeProbe.malformed("3"))
        let malformed = try put("a7", 3)
        #expect(malformed.string("error.message")?.hasPrefix("Version 3 is malformed and gets no alias: ") == true)
        let unknown = try call(.put, "aliases/a7", #"{"versoin":1}"#)
        #expect(unknown.status == 400 && unknown.string("error.message")?.contains("did you mean 'version'?") == true)
        #expect(try call(.get, "versions/a7")["version"] as? Int == 2)
    }

    @Test("An alias stays with a version that turns out to be malformed, and releasing that is refused")
    func stays() throws {
        _ = try put("champion", 2)
        try service.services.metadata.write { store in
            let model = try #require(try store.model(displayName: "flowers", project: "project-a"))
            let version = try #require(try store.version(2, model: model.id))
            var known = try #require(try store.validation(sha256: version.sha256))
            known.verdict = .malformed("too slow")
            try store.put(known)
        }
        let found = try call(.get, "versions/champion")
        #expect(found["version"] as? Int == 2 && found.string("verdict") == "malformed")
        #expect(try call(.post, "releases", #"{"version":2}"#).status == 400)
    }

    @Test("Aliases go with their model")
    func deletion() throws {
        _ = try put("champion", 1)
        #expect(try service.admin(.delete, "models/\(id)").status == 200)
        try call(.get, "aliases").expectRefusal(404, "NOT_FOUND")
        let again = try service.makeModel("flowers", FakeProbe.ok("1"))
        #expect(try service.hearthAdmin(.get, "models/\(again)/aliases").text == "{}")
    }

    @Test("A note comes with a new version or later, by number or alias, and each change is in the audit log")
    func note() throws {
        _ = try service.upload(FakeProbe.ok("3"), name: "third")
        let source = service.uri("third")
        let made = try call(.post, "versions", #"{"source":"\#(source)","note":"May's images"}"#)
        #expect(made["version"] as? Int == 3 && made.string("note") == "May's images", "\(made.text)")
        #expect(try versions.map(\.note) == ["May's images", nil, nil])
        // The same call again makes no version, and leaves no second entry.
        _ = try call(.post, "versions", #"{"source":"\#(source)","note":"May's images"}"#)
        #expect(try call(.post, "versions", #"{"source":"\#(source)"}"#).string("note") == "May's images")
        _ = try put("champion", 1)
        let changed = try call(.patch, "versions/champion", #"{"note":"Bäume"}"#)
        #expect(changed["version"] as? Int == 1 && changed.string("note") == "Bäume")
        #expect(try call(.patch, "versions/1", #"{"note":"Bäume"}"#).status == 200)
        #expect(try call(.patch, "versions/1", #"{"note":""}"#)["note"] == nil)
        #expect(try versions.map(\.note) == ["May's images", nil, nil])
        let entries = try audit(4)
        #expect(
            entries == [
                "version.note version 3: May's images", "version.alias champion: version 1",
                "version.note version 1: Bäume", "version.note version 1, removed",
            ])
    }

    @Test("A note is one line of at most 500 bytes")
    func notes() throws {
        func patch(_ note: String) throws -> TestResponse {
            try call(.patch, "versions/1", String(decoding: WireJSON.encode(["note": note]), as: UTF8.self))
        }
        #expect(try patch(String(repeating: "ä", count: 250)).status == 200)
        try patch(String(repeating: "ä", count: 250) + "x").expectRefusal(
            400, "INVALID_ARGUMENT", "A note has at most 500 bytes; this one has 501.")
        for text in ["👩\u{200D}💻 made it", "می\u{200C}خواهم"] { #expect(try patch(text).status == 200) }
        for text in ["a\nb", "a\u{1B}[2J", "a\u{202E}b", "a\u{2028}b"] {
            try patch(text).expectRefusal(
                400, "INVALID_ARGUMENT",
                "A note is one line, without control characters or marks that change the direction of text.")
        }
        for text in [" ", "\u{200D}", "\u{3164} \u{3164}"] {
            try patch(text).expectRefusal(
                400, "INVALID_ARGUMENT", "A note has at least one visible character; leave it out for none.")
        }
        _ = try service.upload(FakeProbe.ok("3"), name: "third")
        let refused = try call(.post, "versions", #"{"source":"\#(service.uri("third"))","note":"a\nb"}"#)
        #expect(refused.status == 400)
        #expect(try versions.count == 2, "a refused call makes no version")
        #expect(try call(.patch, "versions/1", "{}").status == 400)
    }
}
