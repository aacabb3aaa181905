import Dispatch
import Foundation
import HearthHTTP
import HearthManagement
import Synchronization
import Testing

@testable import HearthManagementTestSupport

@Suite("Management: hostile bodies and crowds") struct HostileBodyTests {
    @Test(
        "Odd JSON is taken or refused, never a failure of the server",
        arguments: [
            #"{"displayName":"a","displayName":"b"}"#, #"{"displayName":"a","display_name":"b"}"#,
            #"{"state":{"published":false},"state":{"published":true}}"#, #"{"tags":["a"],"tags":[]}"#,
            #"{"displayName":"x","n":123456789012345678901234567890e9999}"#, #"{"displayName":"x","n":-0.0e-9999}"#,
            #"{"displayName":"\ud800"}"#, #"{"displayName":"\u0000"}"#, #"{"displayName":"🔥"}"#,
            #"{"displayName":"a\u200Bb"}"#, #"{"displayName":"ａｂｃ"}"#, #"{"tags":["🔥"]}"#, #"{"":{}}"#,
            #"{"displayName":"x","state":null,"tags":null,"tfliteModel":null,"hearth":null}"#,
            "\u{FEFF}{\"displayName\":\"x\"}", "{\"displayName\":\"x\"} trailing", "{\"displayName\":\"x\",}",
            "{\"x\":" + String(repeating: "[", count: 600) + String(repeating: "]", count: 600) + "}",
            "{\"x\":" + String(repeating: "{\"y\":", count: 5000) + "1" + String(repeating: "}", count: 5000) + "}",
            "{\"displayName\":\"" + String(repeating: "x", count: 900_000) + "\"}",
            "{\"tags\":[" + Array(repeating: "\"t\"", count: 200_000).joined(separator: ",") + "]}",
        ])
    func oddBodies(body: String) throws {
        let service = try TestService()
        let id = try service.makeModel("flowers", FakeProbe.ok())
        for answer in [
            try service.admin(.post, "models", body), try service.admin(.patch, "models/\(id)", body),
            try service.hearthAdmin(.post, "models/\(id)/releases", body),
            try service.hearthAdmin(.post, "models/\(id)/versions", body),
            try service.hearthAdmin(.post, "models/\(id):rollback", body),
        ] {
            #expect([200, 400].contains(answer.status), "\(answer.text.prefix(200))")
        }
        #expect(service.log.lines.isEmpty)
    }

    @Test("Bytes that are no text are refused")
    func noText() throws {
        let service = try TestService()
        let headers: HTTPHeaders = ["Authorization": "Bearer \(try service.accessToken(service.a))"]
        for bytes in [[0xFF, 0xFE, 0x7B, 0x00, 0x7D, 0x00], [0x7B, 0x22, 0xC3, 0x28, 0x22, 0x3A, 0x31, 0x7D]]
            as [[UInt8]]
        {
            let answer = try service.call(
                .post, "/v1beta2/projects/project-a/models", headers: headers, body: bytes)
            #expect(answer.status == 400, "\(answer.text)")
        }
    }

    @Test("Many changes of one model at once all take effect, one after the other")
    func crowd() throws {
        let service = try TestService()
        let id = try service.makeModel("flowers", FakeProbe.ok())
        let before = try #require(try revision(service, id))
        DispatchQueue.concurrentPerform(iterations: 24) { number in
            #expect(throws: Never.self) {
                let answer = try service.admin(.patch, "models/\(id)?updateMask=tags", #"{"tags":["t\#(number)"]}"#)
                #expect(answer["response.tags"] as? [String] == ["t\(number)"], "\(answer.text)")
            }
        }
        #expect(try revision(service, id) == before + 24)
    }

    private func revision(_ service: TestService, _ id: String) throws -> Int? {
        try service.admin(.get, "models/\(id)").string("etag")?.split(separator: "-").last.flatMap { Int($0) }
    }

    @Test("With a condition, exactly one of many callers wins")
    func compareAndSet() throws {
        let service = try TestService()
        let id = try service.makeModel("flowers")
        let etag = try #require(try service.admin(.get, "models/\(id)").string("etag"))
        let wins = Mutex<[Int]>([])
        DispatchQueue.concurrentPerform(iterations: 16) { number in
            #expect(throws: Never.self) {
                let answer = try service.call(
                    .patch, "/v1beta2/projects/project-a/models/\(id)?updateMask=tags",
                    headers: ["Authorization": "Bearer \(try service.accessToken(service.a))", "If-Match": etag],
                    body: Array(#"{"tags":["t\#(number)"]}"#.utf8))
                if answer.status == 200 { wins.withLock { $0.append(number) } } else { #expect(answer.status == 412) }
            }
        }
        let winners = wins.withLock { $0 }
        #expect(winners.count == 1)
        #expect(try service.admin(.get, "models/\(id)")["tags"] as? [String] == winners.map { "t\($0)" })
    }

    @Test("Many creates of one name make one model")
    func oneName() throws {
        let service = try TestService()
        let made = Mutex(0)
        DispatchQueue.concurrentPerform(iterations: 16) { _ in
            #expect(throws: Never.self) {
                let answer = try service.admin(.post, "models", #"{"displayName":"flowers"}"#)
                if answer["response"] != nil {
                    made.withLock { $0 += 1 }
                } else {
                    #expect(answer["error.code"] as? Int == 6)
                }
            }
        }
        #expect(made.withLock { $0 } == 1)
    }

    @Test("Publishing, releasing, pausing and deleting at once leaves no failure and nothing behind")
    func publishAndDelete() throws {
        let service = try TestService()
        for round in 0..<3 {
            let id = try service.makeModel("flowers-\(round)", FakeProbe.ok("\(round)"))
            DispatchQueue.concurrentPerform(iterations: 12) { number in
                #expect(throws: Never.self) {
                    let answer =
                        switch number % 6 {
                        case 0: try service.publish(id)
                        case 1: try service.publish(id, false)
                        case 2: try service.hearthAdmin(.post, "models/\(id)/releases", #"{"share":0.5}"#)
                        case 3: try service.hearthAdmin(.post, "models/\(id)/releases/1:pause")
                        case 4: try service.hearthAdmin(.post, "models/\(id):rollback")
                        default: try service.admin(.delete, "models/\(id)")
                        }
                    #expect(answer.status < 500, "\(answer.text)")
                }
            }
            try service.admin(.get, "models/\(id)").expectRefusal(404, "NOT_FOUND")
            try service.info("flowers-\(round)").expectRefusal(404, "NOT_FOUND")
        }
        #expect(service.log.lines.isEmpty)
    }
}
