import HearthCatalog
import HearthHTTP
import HearthIdentity
import HearthManagement
import HearthRouting
import HearthStorage
import HearthWire
import Testing

@testable import HearthManagementTestSupport

@Suite("The most releases that are watched") struct WatchedReleaseLimitTests {
    @Test("A release beyond the limit says that it is not watched, and its plan waits for a place")
    func limit() throws {
        let small = try TestService { $0.limits.watchedReleases = 1 }
        let names = ["first", "second"]
        var having: [String: String] = [:]
        func ask(_ name: String) throws {
            for fid in TestService.fids(30) {
                var headers: HTTPHeaders = ["x-goog-firebase-installations-auth": try small.installationToken(fid)]
                headers["If-None-Match"] = having[name + fid]
                let answer = try small.call(
                    .get, "/v1beta2/projects/project-a/models/\(name):download?key=\(small.a.apiKey)", headers: headers)
                having[name + fid] = answer.headers["ETag"]
            }
        }
        var paths: [String] = []
        for name in names {
            let id = try small.makeModel(name, FakeProbe.ok("\(name) one"), isPublished: true)
            try small.makeVersion(id, FakeProbe.ok("\(name) two"))
            let made = try small.hearthAdmin(
                .post, "models/\(id)/releases", #"{"version":2,"guarding":{"plan":[0.5,1],"holdSeconds":60}}"#)
            #expect(made.status == 200, "\(made.text)")
            paths.append("models/\(id)/releases/2")
            try ask(name)
        }
        func guarding(_ index: Int) throws -> [String: Any] {
            try #require(try small.hearthAdmin(.get, paths[index])["guarding"] as? [String: Any])
        }
        func counts() throws -> [String] {
            try small.call(.get, "/metrics", headers: ["Host": "localhost"]).text.split(separator: "\n")
                .filter { $0.hasPrefix("hearth_rollouts_watched") || $0.hasPrefix("hearth_rollouts_unwatched") }
                .map(String.init)
        }
        #expect(try guarding(0)["watchedBy"] as? [String] == ["returns"])
        #expect(try guarding(0)["unwatched"] == nil)
        let unwatched = try guarding(1)
        #expect(unwatched["watchedBy"] as? [String] == [] && unwatched["unwatched"] as? String == "too-many")
        let states = (unwatched["guards"] as? [[String: Any]])?.compactMap { $0["state"] as? String }
        #expect(states == Array(repeating: "unwatched", count: 5))
        #expect(try small.handler.checkRollouts() == [])
        #expect(try counts() == ["hearth_rollouts_watched 1", "hearth_rollouts_unwatched 1"])
        // After a day the watched one grows although its guards are undecided, the other one does not.
        small.time.advance(seconds: 7000)
        for name in names { try ask(name) }
        small.time.advance(seconds: 90_000)
        #expect(try small.handler.checkRollouts().count == 1)
        #expect(try small.hearthAdmin(.get, paths[1])["share"] as? Double == 0.5)
        // A release that reaches all devices leaves its place to the other one.
        #expect(try small.hearthAdmin(.patch, paths[0], #"{"share":1}"#).status == 200)
        _ = try small.handler.checkRollouts()
        try ask("second")
        _ = try small.handler.checkRollouts()
        #expect(try guarding(1)["watchedBy"] as? [String] == ["returns"])
        #expect(try counts() == ["hearth_rollouts_watched 1", "hearth_rollouts_unwatched 0"])
    }

    @Test("A guard that stopped a release says so even where the release has no place among the watched ones")
    func stoppedWithoutPlace() throws {
        let small = try TestService { $0.limits.watchedReleases = 0 }
        let id = try small.makeModel("flowers", FakeProbe.ok("one"), isPublished: true)
        try small.makeVersion(id, FakeProbe.ok("two"))
        #expect(try small.hearthAdmin(.post, "models/\(id)/releases", #"{"version":2,"share":0.5}"#).status == 200)
        try small.services.metadata.write { store in
            let number = try #require(Int64(id))
            var release = try #require(try store.release(2, model: number))
            release.guarding?.stop = ReleaseGuarding.Stop(guarded: .crashes, atMicroseconds: 0, reason: "crashed")
            try store.update(release)
        }
        let shown = try small.hearthAdmin(.get, "models/\(id)/releases/2")
        let guarding = try #require(shown["guarding"] as? [String: Any])
        let guards = try #require(guarding["guards"] as? [[String: Any]])
        let states = guards.compactMap { $0["state"] as? String }
        #expect(Set(states) == ["violated", "unwatched"])
        #expect(guards.first { $0["state"] as? String == "violated" }?["name"] as? String == "crashes")
    }
}
