import HearthCatalog
import HearthHTTP
import HearthIdentity
import HearthManagement
import HearthStorage
import HearthWire
import Testing

@testable import HearthManagementTestSupport

/// Experiments as Google's tools and templates name them.
@Suite("Experiments in Google's API")
struct GoogleExperimentTests {
    @Test("Google's tools list, show and delete experiments")
    func objects() throws {
        let service = try TestService()
        for name in ["one", "two", "three"] {
            try service.makeExperiment(TestService.twoVariantExperiment(name), start: false)
        }
        _ = try service.hearthAdmin(.post, "experiments/two:start")
        let path = "namespaces/firebase/experiments"
        let first = try service.config(.get, "\(path)?page_size=2")
        let names = (first["experiments"] as? [[String: Any]])?.compactMap { $0["name"] as? String } ?? []
        let token = try #require(first.string("nextPageToken"))
        let second = try service.config(.get, "\(path)?page_size=2&page_token=\(token)")
        let more = (second["experiments"] as? [[String: Any]])?.compactMap { $0["name"] as? String } ?? []
        let number = service.a.project.number
        #expect(
            Set(names + more)
                == Set(["one", "two", "three"].map { "projects/\(number)/namespaces/firebase/experiments/\($0)" }))
        #expect(second["nextPageToken"] == nil)
        let two = try service.config(.get, "\(path)/two")
        #expect(two.string("state") == "RUNNING")
        #expect(two.string("definition.displayName") == "two")
        try service.config(.delete, "\(path)/two").expectRefusal(400, "FAILED_PRECONDITION")
        let gone = try service.config(.delete, "\(path)/one")
        #expect(gone.text == "{}")
        try service.config(.get, "\(path)/one").expectRefusal(404, "NOT_FOUND")
        try service.config(.get, "namespaces/firebase-server/experiments").expectRefusal(404, "NOT_FOUND")
    }

    @Test("A template's own experiment value follows the variant")
    func experimentValue() throws {
        let service = try TestService()
        try service.putTemplate(
            #"""
            {"conditions":[{"name":"all","expression":"true"}],"parameters":{"size":{"defaultValue":{"value":"usual"},
                "conditionalValues":{"all":{"experimentValue":{"experimentId":"colours","variantValue":[
                    {"variantId":"old","noChange":true},{"variantId":"new","value":"large"}]}}}}}}
            """#)
        #expect(try service.fetchAsIOS().string("entries.size") == "usual")
        try service.makeExperiment(TestService.twoVariantExperiment())
        for fid in TestService.fids(12) {
            let answer = try service.fetch(as: fid)
            let isNew = answer.string("entries.colour") == "blue"
            #expect(answer.string("entries.size") == (isNew ? "large" : "usual"))
        }
    }
}
