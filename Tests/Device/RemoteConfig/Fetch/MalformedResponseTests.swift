import Foundation
import HearthApp
import HearthTransport
import HearthWire
import Testing

@testable import HearthRemoteConfig

@Suite("Malformed responses")
struct MalformedResponseTests {
    @Test(
        "An unreadable answer is a failure that changes nothing",
        arguments: [
            "<html>captive portal</html>", "[1]", "{", #"{"state":"UPDATE","entries":{"a":1}}"#,
            #"{"state":"UPDATE","entries":[]}"#, "null", "\u{0}",
        ])
    func unreadable(_ body: String) async throws {
        let device = try TestDevice()
        device.server.serve(["a": "1"], version: 1)
        let config = device.config()
        try await config.fetchAndActivate()
        device.server.answer(body)
        await #expect {
            try await config.fetch(withExpirationDuration: 0)
        } throws: {
            RemoteConfigError.internalError ~= $0 && $0.localizedDescription.contains("Malformed response")
        }
        #expect(config.lastFetchStatus == .failure)
        #expect(try await !config.activate())
        #expect(config["a"].stringValue == "1")
    }

    @Test("Refusals have their status and the server's reason", arguments: [400, 403, 404, 409])
    func refused(_ status: Int) async throws {
        let device = try TestDevice()
        device.server.answer(#"{"error":{"code":1,"message":"no such project","status":"X"}}"#, status: status)
        let config = device.config()
        await #expect {
            try await config.fetch()
        } throws: {
            $0.localizedDescription == "Internal Error. Status code: \(status). no such project"
        }
        #expect(config.lastFetchStatus == .failure)
    }

    @Test("A refusal with status 200 is a failure")
    func disguised() async throws {
        let device = try TestDevice()
        device.server.answer(#"{"error":{"code":7,"message":"key is wrong","status":"PERMISSION_DENIED"}}"#)
        let config = device.config()
        await #expect {
            try await config.fetch()
        } throws: {
            $0.localizedDescription.hasSuffix("key is wrong")
        }
    }

    @Test("Malformed parts of an answer cost only themselves")
    func oddParts() throws {
        let answer = try #require(
            FetchResponse(
                Array(
                    #"""
                    {"state":"UPDATE","entries":{"a":"1"},"templateVersion":12,"personalizationMetadata":7,
                     "experimentDescriptions":[{"experimentId":"e"},5,{"experimentId":"e","variantId":"v",
                     "experimentStartTime":"2024-01-31T10:00:00.000Z","triggerTimeoutMillis":"1","timeToLiveMillis":"2"}],
                     "rolloutMetadata":"none"}
                    """#.utf8)))
        #expect(answer.entries == ["a": "1"] && answer.templateVersion == "12" && answer.rollouts.isEmpty)
        #expect(answer.experiments.map(\.variantId) == ["v"])
        #expect(FetchResponse(Array(#"{"state":"LATER"}"#.utf8))?.state == nil)
        #expect(FetchResponse([])?.state == nil)
        #expect(FetchResponse(Array(#"{"templateVersion":"x"}"#.utf8))?.templateVersion == "0")
    }

    @Test(
        "An ETag that cannot be in a header is ignored",
        arguments: ["a\u{7F}", "a b", String(repeating: "e", count: 1025)])
    func tag(_ etag: String) async throws {
        let device = try TestDevice()
        device.server.answer(#"{"state":"UPDATE","entries":{"a":"1"}}"#, headers: [("etag", etag)])
        let config = device.config()
        try await config.fetch()
        try await config.fetch(withExpirationDuration: 0)
        #expect(device.server.fetches.last?.header("if-none-match") == nil)
        #expect(try await config.activate())
        #expect(try await !config.activate(), "without a tag the values decide")
    }

    @Test("Without a server or a connection: a failure with the reason, and the values stay")
    func offline() async throws {
        let device = try TestDevice()
        device.server.serve(["a": "1"], version: 1)
        var config = device.config()
        try await config.fetchAndActivate()
        device.server.answer { _ throws(TransportError) in throw TransportError(.couldNotConnect, "nobody is there") }
        config = await device.restarted(config)
        #expect(config["a"].stringValue == "1")
        await #expect {
            try await config.fetch(withExpirationDuration: 0)
        } throws: {
            RemoteConfigError.internalError ~= $0 && $0.localizedDescription.contains("nobody is there")
        }
        #expect(config["a"].stringValue == "1")
    }

    @Test("Incomplete options fail each fetch, with the names of the missing values")
    func options() async throws {
        let device = try TestDevice()
        let options = TestDevice.options()
        options.projectID = nil
        let config = RemoteConfig.remoteConfig(app: device.start(options))
        await #expect {
            try await config.fetch()
        } throws: {
            $0.localizedDescription.contains("projectID")
        }
    }

    @Test("After the app is deleted every fetch fails")
    func deleted() async throws {
        let device = try TestDevice()
        device.server.serve(["a": "1"], version: 1)
        let config = device.config()
        await config.core.app.delete()
        await #expect {
            try await config.fetch()
        } throws: {
            $0.localizedDescription.contains("was deleted")
        }
        #expect(device.server.fetches.isEmpty)
    }
}
