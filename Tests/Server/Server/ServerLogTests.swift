import Foundation
import HearthCrypto
import HearthDevicePlane
import HearthManagement
import HearthTestSupport
import Testing

@testable import HearthHTTP
@testable import HearthServer

/// What the server's log says of a request.
struct ServerLogTests {
    private static let time = "2027-01-15T08:00:00.000Z"

    private func entry(
        method: HTTPMethod? = .get, target: String = "/v1/m?key=secret", actor: String? = nil, status: Int? = 200,
        duration: Duration = .microseconds(1250), isComplete: Bool = true, route: Int = 1,
        endReason: DisconnectReason? = nil
    ) -> AccessLogEntry {
        AccessLogEntry(
            method: method, remoteAddress: "203.0.113.9", route: route, status: status, responseBytes: 5,
            requestBytes: 3, duration: duration, isComplete: isComplete, endReason: endReason, caller: actor,
            id: RequestID("x-1"), sentTarget: Array(target.utf8))
    }

    private func log(_ format: LogFormat) -> ServerLog {
        ServerLog(format: format, level: .info, routeNames: ["v1/{name}"])
    }

    @Test func textHasOneLinePerRequest() {
        let text = log(.text)
        #expect(
            text.text(entry(), Self.time)
                == "\(Self.time) 203.0.113.9 GET /v1/m?key=* 200 in=3 out=5 1.2ms x-1")
        #expect(
            text.text(entry(method: nil, actor: "a@b", status: nil, isComplete: false), Self.time)
                == "\(Self.time) 203.0.113.9 - /v1/m?key=* - in=3 out=5 1.2ms x-1 by=a@b cut")
    }

    @Test func whyTheServerEndedARequestIsTold() {
        let ended = entry(status: 408, endReason: .slowBody)
        #expect(log(.text).text(ended, Self.time).hasSuffix("x-1 ended=slow-body"))
        #expect(log(.json).json(ended, Self.time).hasSuffix(#""complete":true,"ended":"slow-body"}"#))
        let cut = entry(isComplete: false, endReason: .slowReader)
        #expect(log(.text).text(cut, Self.time).hasSuffix("x-1 cut ended=slow-reader"))
    }

    @Test func jsonIsForPrograms() {
        #expect(
            log(.json).json(entry(actor: "a@b"), Self.time)
                == #"{"time":"\#(Self.time)","level":"info","request":"x-1","client":"203.0.113.9","method":"GET","#
                + #""target":"/v1/m?key=*","route":"v1/{name}","status":200,"bytesIn":3,"bytesOut":5,"#
                + #""microseconds":1250,"actor":"a@b","complete":true}"#)
    }

    @Test(arguments: ["\"", "\\", "\n", "\u{0}\u{1B}[2J\u{7F}", "\u{2028}", "é😀", "\r\n{}"])
    func everyLineIsOneJSONObject(text: String) throws {
        let line = log(.json).json(
            entry(method: HTTPMethod(rawValue: text), target: text, actor: text, status: nil, route: 99), Self.time)
        #expect(!line.contains { $0.isNewline && $0 != "\u{2028}" })
        let object = try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
        #expect(object["actor"] as? String == text)
        #expect(object["status"] == nil && object["route"] == nil)
    }

    @Test func onlyFailuresAreErrors() throws {
        let folder = try TemporaryFolder()
        for level in LogLevel.allCases {
            let path = folder.path + "/\(level.rawValue).log"
            var log = ServerLog(format: .text, level: level)
            log.file = try LogFile(path: path)
            log.messages([.failure("It does not answer."), .recovery("It answers again.")])
            let lines = try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n")
            let levels = lines.map { String($0.split(separator: " ")[1]) }
            #expect(levels == (level == .error ? ["error"] : ["error", "info"]))
        }
    }

    @Test func textStaysOnOneLine() {
        let line = log(.text).text(entry(actor: "a\nb\u{1B}"), Self.time)
        #expect(!line.contains("\n") && !line.contains("\u{1B}"))
    }

    @Test(arguments: [
        ("/v1/projects/p/installations/cAAAA1/authTokens:generate?key=s", "/authTokens:generate?key=*"),
        ("/v1/projects/p/installations/cAAAA1", ""), ("/v1/projects/p/installations/cAAAA1?key=s", "?key=*"),
        ("/v1/projects/p/installations/cAAAA1/", "/"),
    ])
    func installationsHaveTheNameThatTheyHaveAsCallers(target: String, rest: String) {
        let name = "device:" + SHA256Hasher.hash("cAAAA1".utf8).hex.prefix(12)
        let path = "/v1/projects/p/installations/\(name)\(rest)"
        #expect(log(.text).text(entry(target: target), Self.time).contains(" GET \(path) 200 "))
        #expect(log(.json).json(entry(target: target), Self.time).contains(#""target":"\#(path)""#))
    }

    @Test(arguments: ["/v1/projects/p/installations", "/v1/projects/p/installations/", "/installations?x=*", "/"])
    func whereThereIsNoInstallationNothingChanges(target: String) {
        #expect(log(.text).text(entry(target: target), Self.time).contains(" GET \(target) 200 "))
    }

    @Test func durationsDoNotOverflow() {
        #expect(log(.text).text(entry(duration: .zero), Self.time).contains(" 0.0ms "))
        #expect(entry(duration: .seconds(3600)).microseconds == 3_600_000_000)
    }
}
