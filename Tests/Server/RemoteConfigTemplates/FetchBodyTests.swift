import HearthRemoteConfigTemplates
import Testing

struct FetchBodyTests {
    private func read(_ text: String) -> FetchBody? { FetchBody(Array(text.utf8)) }

    @Test func theLooseShapeIsRead() throws {
        let body = try #require(
            read(
                """
                {app_instance_id:'fid-1', app_instance_id_token:'a.b.c', app_id:'1:2:ios:3', country_code:'us', \
                language_code:'en_US', platform_version:'17.5', time_zone:'Europe/Berlin', package_name:'com.x', \
                app_version:'1.2', app_build:'34', sdk_version:'11.0.0', first_open_time:'2024-05-06T07:00:00Z', \
                analytics_user_properties:{"plan":"gold","it's":"a } \\"brace\\""}, custom_signals:{"n":4,"t":"x, y:'z'"}}
                """))
        #expect(body.installationID == "fid-1")
        #expect(body.installationToken == "a.b.c")
        #expect(body.appID == "1:2:ios:3")
        #expect(body.countryCode == "us")
        #expect(body.languageCode == "en_US")
        #expect(body.appVersion == "1.2")
        #expect(body.appBuild == "34")
        #expect(body.firstOpenTime == "2024-05-06T07:00:00Z")
        #expect(body.userProperties == ["plan": "gold", "it's": "a } \"brace\""])
        #expect(body.customSignals == ["n": "4", "t": "x, y:'z'"])
    }

    @Test func anApostropheInsideATextIsNotItsEnd() throws {
        let body = try #require(read("{app_version:'it's 1, or '2'', app_build:'O'Neill', app_id:'a'}"))
        #expect(body.appVersion == "it's 1, or '2'")
        #expect(body.appBuild == "O'Neill")
        #expect(body.appID == "a")
    }

    @Test func camelCaseJSONIsRead() throws {
        let body = try #require(
            read(
                """
                {"appInstanceId": "fid-2", "appInstanceIdToken": "t", "appId": "1:2:android:3", "countryCode": "CH",
                 "languageCode": "de-CH", "platformVersion": "34", "timeZone": "GMT", "appVersion": "2.0", "appBuild": "7",
                 "packageName": "com.x", "sdkVersion": "22.0", "analyticsUserProperties": {},
                 "customSignals": {"level": 7.5, "on": true}, "firstOpenTime": "2024-05-06T07:00:00.000Z"}
                """))
        #expect(body.installationID == "fid-2")
        #expect(body.languageCode == "de-CH")
        #expect(body.customSignals == ["level": "7.5", "on": "true"])
        #expect(body.firstOpenTime == "2024-05-06T07:00:00.000Z")
    }

    @Test func snakeCaseJSONIsRead() throws {
        let body = try #require(
            read(
                #"{"sdk_version":"11","app_instance_id":"fid-3","app_instance_id_token":"t","app_id":"1:2:web:3","language_code":"en-US"}"#
            ))
        #expect(body.installationID == "fid-3")
        #expect(body.appID == "1:2:web:3")
        #expect(body.appVersion == nil)
    }

    /// Texts alone are read in one way, and what is more than that in another.
    @Test func whatJSONMayHaveBesideTextsIsRead() throws {
        let escaped = try #require(read(#" { "appVersion" : "2\u002e0" , "customSignals" : { "a" : "x\"y" } } "#))
        #expect(escaped.appVersion == "2.0")
        #expect(escaped.customSignals == ["a": "x\"y"])
        let missing = try #require(
            read(#"{"appVersion":null,"appBuild":7,"customSignals":{"a":null,"b":[1],"c":"d"}}"#))
        #expect(missing.appVersion == nil)
        #expect(missing.appBuild == "7")
        #expect(missing.customSignals == ["c": "d"])
        #expect(try #require(read(#"{"APP_Version":"3","appversion_":"3"}"#)).appVersion == "3")
    }

    @Test(arguments: [
        "", "{", "}", "[]", "null", "{a}", "{a:}", "{a:'b'", "{a:'b", "{a:'b'} more", "{a:{\"b\":1}", "{a:{b:1}}",
        "{:'x'}",
        "{a:\"b}", "{'a:'b'}", "{a:'\u{0}", "{a:{\"b\":\"\\",
    ])
    func whatIsNoObjectIsRefused(_ text: String) {
        #expect(read(text) == nil)
    }

    @Test func noBytesMakeTheReaderFail() {
        let sound = Array("{app_id:'1:2:ios:3', a:\"b\\\"c\", n:-1.5, custom_signals:{\"k\":\"v\\\"}\"}, x:'y'}".utf8)
        var seed: UInt64 = 3
        func random(_ count: Int) -> Int {
            seed = seed &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int(seed >> 33) % count
        }
        #expect(FetchBody(sound) != nil)
        for _ in 0..<5000 {
            var bytes = sound
            for _ in 0...random(4) where bytes.count > 1 {
                switch random(3) {
                case 0: bytes[random(bytes.count)] = UInt8(random(256))
                case 1: bytes.remove(at: random(bytes.count))
                default: bytes = Array(bytes.prefix(random(bytes.count) + 1))
                }
            }
            _ = FetchBody(bytes)
        }
    }

    /// Each quote could be the end: looking ahead from each must not take the square of the length to find out.
    @Test func aBodyOfQuotesIsReadInTime() {
        #expect(read("{a:" + String(repeating: "'", count: 20_000) + ", '") == nil)
        #expect(read("{a:'" + String(repeating: "',\"", count: 20_000)) == nil)
    }

    @Test func whatIsTooLongCountsAsNotSaid() throws {
        func text(_ count: Int) -> String { String(repeating: "\u{E9}", count: count) }
        func body(_ more: Int) throws -> FetchBody {
            try #require(
                read(
                    """
                    {"appVersion": "\(text(100 + more))", "appBuild": "\(text(100 + more))",
                     "languageCode": "\(text(35 + more))", "firstOpenTime": "\(text(64 + more))",
                     "analyticsUserProperties": {"a": "\(text(500 + more))", "\(text(250 + more))": "b", "c": "d"},
                     "customSignals": {"a": "\(text(500 + more))", "\(text(250 + more))": "b", "c": "d"}}
                    """))
        }
        let most = try body(0)
        for said in [most.appVersion, most.appBuild, most.languageCode, most.firstOpenTime] { #expect(said != nil) }
        #expect(most.userProperties.count == 3 && most.customSignals.count == 3)
        let more = try body(1)
        for said in [more.appVersion, more.appBuild, more.languageCode, more.firstOpenTime] { #expect(said == nil) }
        #expect(more.userProperties == ["c": "d"] && more.customSignals == ["c": "d"])
        // As Firebase's clients count: what takes two units of UTF-16 counts as two.
        #expect(read(#"{"appVersion": "\#(String(repeating: "\u{1F600}", count: 50))"}"#)?.appVersion != nil)
        #expect(read(#"{"appVersion": "\#(String(repeating: "\u{1F600}", count: 51))"}"#)?.appVersion == nil)
    }
}
