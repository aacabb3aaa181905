import HearthCatalog
import HearthHTTP
import HearthIdentity
import HearthWire
import Testing

@testable import HearthDevicePlane
@testable import HearthManagement
@testable import HearthManagementTestSupport
@testable import HearthRouting
@testable import HearthServing

@Suite("Remote Config: devices' fetches") struct ConfigFetchTests {
    private static let template = #"""
        {"conditions":[
            {"name":"swiss","expression":"device.country in ['CH'] && device.language in ['de']"},
            {"name":"vip","expression":"app.customSignal['rank'].exactlyMatches(['vip'])"},
            {"name":"new","expression":"app.version.>=(['2.0']) && device.os == 'ios'"}],
         "parameters":{
            "colour":{"defaultValue":{"value":"grey"},
                "conditionalValues":{"swiss":{"value":"red"},"vip":{"value":"gold"},"new":{"value":"blue"}}},
            "own":{"defaultValue":{"useInAppDefault":true}}}}
        """#

    private func colour(_ answer: TestResponse) -> String? { answer.string("entries.colour") }

    @Test("The three shapes of the clients are read")
    func shapes() throws {
        let service = try TestService()
        try service.putTemplate(Self.template)
        let loose = try service.fetchAsIOS(", country_code:'ch', language_code:'de_CH'")
        #expect(loose.status == 200, "\(loose.text)")
        #expect(loose.string("state") == "UPDATE")
        #expect(loose.string("templateVersion") == "1")
        #expect(loose["entries"] as? [String: String] == ["colour": "red"])
        let android =
            #"{"appInstanceId":"\#(TestService.fid)","appId":"x","countryCode":"DE","customSignals":{"rank":"vip"}}"#
        #expect(colour(try service.fetch(Array(android.utf8), project: String(service.a.project.number))) == "gold")
        let token = try service.installationToken(service.a)
        let web =
            #"{"sdk_version":"11","app_instance_id":"\#(TestService.fid)","app_instance_id_token":"\#(token)","app_id":"x","language_code":"en-US"}"#
        #expect(
            colour(try service.fetch(Array(web.utf8), tokenInHeader: false, headers: ["Content-Encoding": "gzip"]))
                == "grey")
        #expect(colour(try service.fetch(GzipFile.stored(Array(android.utf8)))) == "gold")
    }

    @Test("The platform of the app's id and the app's version are signals")
    func version() throws {
        let service = try TestService()
        try service.putTemplate(Self.template)
        let isIOS = service.a.apiKeyRecord.appID.contains(":ios:")
        #expect(colour(try service.fetchAsIOS(", app_version:'2.1'")) == (isIOS ? "blue" : "grey"))
        #expect(colour(try service.fetchAsIOS(", app_version:'1.9'")) == "grey")
    }

    @Test("A device that names its operating system itself is not what its app was registered for")
    func operatingSystem() throws {
        let service = try TestService()
        try service.putTemplate(Self.template)
        let body = Array("{app_instance_id:'\(TestService.fid)', app_id:'x', app_version:'2.1'}".utf8)
        #expect(colour(try service.fetch(body)) == "blue")
        #expect(colour(try service.fetch(body, headers: ["x-hearth-os": "Linux"])) == "grey")
        #expect(colour(try service.fetch(body, headers: ["x-hearth-os": "iOS"])) == "blue")
    }

    @Test("What the device has already is told without the entries, never with 304")
    func noChange() throws {
        let service = try TestService()
        try service.putTemplate(Self.template)
        let first = try service.fetchAsIOS()
        let etag = try #require(first.headers["ETag"])
        #expect(etag.hasPrefix("etag-\(service.a.project.number)-firebase-fetch-"))
        let second = try service.fetchAsIOS(ifNoneMatch: etag)
        #expect(second.status == 200)
        #expect(second.string("state") == "NO_CHANGE")
        #expect(second["entries"] == nil)
        #expect(second.string("templateVersion") == "1")
        #expect(second["experimentDescriptions"] as? [String] == [])
        #expect(try service.fetchAsIOS(ifNoneMatch: "*").string("state") == "UPDATE")
        // The template is the same, and the device is another.
        #expect(colour(try service.fetchAsIOS(", custom_signals:{\"rank\":\"vip\"}", ifNoneMatch: etag)) == "gold")
    }

    @Test("Whatever a value has in it, devices get it as it is, and notice that it changed")
    func values() throws {
        let service = try TestService()
        let values = ["a": #"{"json":"\\"}"#, "b": "line\none\u{1}", "c": "Zürich 🏔", "d": "", "e": "</x>"]
        let parameters = values.mapValues { RemoteConfigParameter(defaultValue: .text($0)) }
        try service.putTemplate(
            String(decoding: WireJSON.encode(RemoteConfigTemplate(parameters: parameters)), as: UTF8.self))
        let answer = try service.fetchAsIOS()
        let body = try WireJSON.decode(RemoteConfigFetchResponse.self, from: answer.body)
        #expect(body.entries == values)
        #expect(body.state == .update && body.templateVersion == "1" && body.experimentDescriptions == [])
    }

    @Test("A change reaches the next fetch")
    func change() throws {
        let service = try TestService()
        #expect(try service.fetchAsIOS().string("state") == "NO_TEMPLATE")
        try service.putTemplate("{}")
        #expect(try service.fetchAsIOS().string("state") == "EMPTY_CONFIG")
        try service.putTemplate(#"{"parameters":{"p":{"defaultValue":{"value":"1"}}}}"#)
        #expect(try service.fetchAsIOS()["entries"] as? [String: String] == ["p": "1"])
        // A publication makes a new snapshot, in which the template stays.
        try service.makeModel("flowers", FakeProbe.ok("flowers"), isPublished: true)
        #expect(try service.fetchAsIOS().string("templateVersion") == "2")
    }

    @Test("Without a key, a token or a body nothing is told")
    func refusals() throws {
        let service = try TestService()
        try service.putTemplate(Self.template)
        try service.fetch(Array("{}".utf8), tokenInHeader: false).expectRefusal(401, "UNAUTHENTICATED")
        for body in ["", "nonsense", "{app_id:'x'", "[1]"] {
            try service.fetch(Array(body.utf8)).expectRefusal(400, "INVALID_ARGUMENT")
        }
        try service.fetch([0x1F, 0x8B, 1, 2, 3]).expectRefusal(400, "INVALID_ARGUMENT")
        let keyless = try service.call(
            .post, "/v1/projects/project-a/namespaces/firebase:fetch", body: Array("{}".utf8))
        keyless.expectRefusal(403, "PERMISSION_DENIED")
        let servers = try service.call(
            .post, "/v1/projects/project-a/namespaces/firebase-server:fetch",
            headers: ["x-goog-api-key": service.a.apiKey, "x-ios-bundle-identifier": service.a.bundleID],
            body: Array("{}".utf8))
        servers.expectRefusal(404, "NOT_FOUND")
    }
}

@Suite("Remote Config: shares of installations, through the fetch") struct RolloutShareTests {
    private static let template = #"""
        {"conditions":[
            {"name":"third","expression":"percent('s') <= 33.3"},
            {"name":"middle","expression":"percent between 20 and 80"}],
         "parameters":{
            "third":{"defaultValue":{"value":"out"},"conditionalValues":{"third":{"value":"in"}}},
            "middle":{"defaultValue":{"value":"out"},"conditionalValues":{"middle":{"value":"in"}}}}}
        """#

    private static let installations = (0..<400).map { number in
        FakeConfigClient.make(
            FakeConfigClient.Client.allCases[number % 3],
            { $0.id = "d" + String(1_000_000 + number) + "0123456789abcd" })
    }

    private func answers(of service: TestService) throws -> [[String: String]] {
        try Self.installations.map { device in
            try #require(try service.fetch(device)["entries"] as? [String: String])
        }
    }

    @Test("The shares are the configured ones, and the same installation is in them each time, at another server too")
    func shares() throws {
        let service = try TestService()
        try service.putTemplate(Self.template)
        let first = try answers(of: service)
        #expect(try answers(of: service) == first)
        // A change of something else draws nobody anew.
        try service.putTemplate(Self.template.replacing("\"out\"", with: "\"rest\""))
        let changed = try answers(of: service)
        #expect(changed.map { $0.mapValues { $0 == "in" } } == first.map { $0.mapValues { $0 == "in" } })

        let fresh = try TestService()
        try fresh.putTemplate(Self.template)
        #expect(try answers(of: fresh) == first)

        for (key, share) in [("third", 0.333), ("middle", 0.6)] {
            let found = first.count { $0[key] == "in" }
            // 4.5 standard deviations of a binomial draw.
            #expect(
                abs(Double(found) - 400 * share) <= 4.5 * (400 * share * (1 - share)).squareRoot(), "\(key): \(found)")
        }
    }
}
