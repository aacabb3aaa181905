import Dispatch
import HearthCatalog
import HearthHTTP
import HearthIdentity
import HearthStorage
import HearthWire
import Synchronization
import Testing

@testable import HearthDevicePlane
@testable import HearthManagement
@testable import HearthManagementTestSupport
@testable import HearthRouting
@testable import HearthServing

@Suite("Remote Config: devices that wait for news") struct ConfigUpdateTests {
    private static let template = #"{"parameters":{"a":{"defaultValue":{"value":"1"}}}}"#

    private func message(_ number: Int) -> String { "{\"latestTemplateVersionNumber\":\"\(number)\"}\r\n" }

    private func fid(_ number: Int) -> String {
        "c" + String(repeating: "A", count: 20 - number) + String(repeating: "B", count: number) + "1"
    }

    @Test("A new version is told to who waits, each in one piece")
    func announces() throws {
        let service = try TestService()
        let device = try service.listen()
        #expect(device.answer.status == 200)
        #expect(device.answer.headers["Content-Type"] == "application/json; charset=utf-8")
        #expect(device.answer.headers["X-Accel-Buffering"] == "no")
        #expect(device.pieces == ["["], "there is no template")
        try service.putTemplate(Self.template)
        #expect(device.pieces == [message(1)])
        try service.putTemplate(Self.template)
        #expect(try service.config(.post, "remoteConfig:rollback", #"{"versionNumber":"1"}"#).status == 200)
        #expect(device.pieces == [",\r\n" + message(2), ",\r\n" + message(3)])
    }

    @Test("What is not there yet, not for devices, or another project's, is told to nobody")
    func silence() throws {
        let service = try TestService()
        let device = try service.listen()
        try service.putTemplate(Self.template, namespace: "firebase-server")
        let question = try service.config(.put, "remoteConfig?validateOnly=true", Self.template, ifMatch: "*")
        #expect(question.status == 200)
        #expect(try service.config(.put, "remoteConfig", "{", ifMatch: "*").status == 400)
        #expect(try service.config(.put, "remoteConfig", Self.template, ifMatch: "*", as: service.b).status == 200)
        #expect(device.pieces == ["["])
    }

    @Test("Who knows an older version is told at once, who knows the newest is not")
    func catchesUp() throws {
        let service = try TestService()
        for _ in 1...3 { try service.putTemplate(Self.template) }
        #expect(try service.listen(lastKnown: 2).pieces == ["[", message(3)])
        #expect(try service.listen(lastKnown: 3).pieces == ["["])
        #expect(try service.listen(lastKnown: 4).pieces == ["["], "a restored server is behind")
    }

    @Test("The three shapes of the clients are read")
    func shapes() throws {
        let service = try TestService()
        for _ in 1...7 { try service.putTemplate(Self.template) }
        let loose = TestService.updatesBody(lastKnown: "7")
        #expect(try service.listen(GzipFile.stored(Array(loose.utf8))).pieces == ["["])
        let number = String(service.a.project.number)
        let android =
            #"{"project":"\#(number)","namespace":"firebase","lastKnownVersionNumber":"7","appId":"x","sdkVersion":"22"}"#
        #expect(try service.listen(Array(android.utf8), project: number).pieces == ["["])
        let web = #"{"project":"project-a","lastKnownVersionNumber":6,"appInstanceId":"x"}"#
        #expect(try service.listen(Array(web.utf8)).pieces == ["[", message(7)])
        for text in ["'-1'", "'x'", "''", "'99999999999999999999'"] {
            #expect(try service.listen(Array("{lastKnownVersionNumber:\(text)}".utf8)).pieces == ["[", message(7)])
        }
    }

    @Test("Only a device of the project, with key and token, gets a stream")
    func callers() throws {
        let service = try TestService()
        let body = Array(TestService.updatesBody(lastKnown: "0").utf8)
        let token = try service.installationToken(service.a)
        let bundle = service.a.bundleID
        let key = service.a.apiKey
        func refusal(_ headers: HTTPHeaders) throws -> Int { try service.listen(body, headers: headers).answer.status }
        #expect(try refusal([:]) == 403)
        #expect(try refusal(["x-goog-api-key": key, "x-ios-bundle-identifier": bundle]) == 401)
        #expect(
            try refusal([
                "x-goog-api-key": key, "x-ios-bundle-identifier": bundle,
                "x-goog-firebase-installations-auth": try service.installationToken(service.b),
            ]) == 401)
        #expect(try refusal(["x-goog-api-key": service.b.apiKey, "x-goog-firebase-installations-auth": token]) == 403)
        #expect(try service.listen(body, namespace: "firebase-server").answer.status == 404)
        #expect(try service.listen(Array("[1]".utf8)).answer.status == 400)
        #expect(try service.listen([0x1F, 0x8B, 1, 2]).answer.status == 400)
        #expect(service.handler.updateStreamCount == 0)
    }

    @Test("An installation has two streams at most: a third one ends the first")
    func streamsOfOneDevice() throws {
        let service = try TestService()
        let (first, second, third) = (try service.listen(), try service.listen(), try service.listen())
        #expect(first.pieces == ["[", "]"])
        #expect(first.next() == nil, "it has ended")
        try service.putTemplate(Self.template)
        #expect(second.pieces == ["[", message(1)])
        #expect(third.pieces == ["[", message(1)])
        #expect(service.handler.updateStreamCount == 2)
        first.leave()
        #expect(service.handler.updateStreamCount == 2)
        second.leave()
        #expect(service.handler.updateStreamCount == 1)
    }

    @Test("Beyond the limit devices are told to come later, until one leaves")
    func limit() throws {
        let service = try TestService { $0.limits.updateStreams = Self.places(3) }
        let devices = try (0..<3).map { try service.listen(fid: fid($0)) }
        let refused = try service.listen(fid: fid(3))
        refused.answer.expectRefusal(503, "UNAVAILABLE")
        #expect(refused.answer.headers["Retry-After"] == "60")
        #expect(try service.listen(fid: fid(2)).answer.status == 200, "one for its own older one")
        #expect(devices[2].pieces == ["[", "]"])
        devices[0].leave()
        #expect(try service.listen(fid: fid(3)).answer.status == 200)
        #expect(try service.listen(fid: fid(4)).answer.status == 503)
    }

    @Test("A project that has all places gives one to a project that has none, and is not heard again at once")
    func otherProjects() throws {
        let service = try TestService { $0.limits.updateStreams = Self.places(3) }
        let devices = try (0..<3).map { try service.listen(fid: fid($0)) }
        let other = try service.listen(of: service.b)
        #expect(other.answer.status == 200)
        #expect(devices[0].pieces == ["[", "]"], "the oldest has ended")
        #expect(devices[1].pieces == ["["] && devices[2].pieces == ["["])
        #expect(service.handler.updateStreamCount == 3)
        let back = try service.listen(fid: fid(0))
        back.answer.expectRefusal(503, "UNAVAILABLE")
        #expect(back.answer.headers["Retry-After"] == "60")
        try service.putTemplate(Self.template)
        #expect(devices[1].pieces == [message(1)])
        #expect(other.pieces == ["["])
    }

    @Test("One client address, or IPv6 network, has no more than its share, also behind a trusted proxy")
    func addresses() throws {
        let service = try TestService {
            $0.limits.updateStreams = Self.places(20)
            $0.limits.updateStreams.networkPercent = 10
        }
        func status(_ number: Int, from address: String) throws -> Int {
            try service.listen(of: service.a, fid: fid(number), from: address).answer.status
        }
        #expect(try status(0, from: "2001:db8::1") == 200)
        #expect(try status(1, from: "2001:db8::2") == 200)
        #expect(try status(2, from: "2001:db8::3") == 503)
        #expect(try status(2, from: "2001:db8:0:1::3") == 200)
        #expect(try status(3, from: "192.0.2.1") == 200)
        #expect(try status(4, from: "192.0.2.1") == 200)
        #expect(try status(5, from: "::ffff:192.0.2.1") == 503)
        #expect(try status(4, from: "192.0.2.1") == 200, "a device gives up its own")
        #expect(try status(5, from: "192.0.2.2") == 200)
    }

    /// All of them for one address.
    private static func places(_ streams: Int) -> UpdateStreamLimits {
        var limits = UpdateStreamLimits()
        limits.streams = streams
        limits.networkPercent = 100
        return limits
    }

    @Test("One timer keeps all streams alive, and there is none without them")
    func keepsAlive() throws {
        let scheduler = TurnScheduler()
        let service = try TestService { $0.scheduler = scheduler }
        #expect(scheduler.count == 0)
        let devices = try (0..<3).map { try service.listen(fid: fid($0)) }
        #expect(scheduler.count == 1)
        for device in devices { #expect(device.pieces == ["["]) }
        for _ in 1...2 {
            scheduler.passTime()
            for device in devices { #expect(device.pieces == ["\r\n"]) }
        }
        for device in devices { device.leave() }
        scheduler.passTime()
        #expect(scheduler.count == 0)
        let next = try service.listen()
        scheduler.passTime()
        #expect(next.pieces == ["[", "\r\n"])
    }

    @Test("A version that nobody told of is told at the next turn")
    func untold() throws {
        let scheduler = TurnScheduler()
        let service = try TestService { $0.scheduler = scheduler }
        let device = try service.listen()
        try service.services.metadata.write {
            try $0.insert(
                TemplateVersion(
                    projectID: "project-a", namespace: "firebase", number: 1, body: Self.template,
                    createdMicroseconds: 0, createdBy: "x"))
        }
        #expect(device.pieces == ["["])
        scheduler.passTime()
        #expect(device.pieces == [message(1), "\r\n"])
        scheduler.passTime()
        #expect(device.pieces == ["\r\n"])
    }

    @Test("After an hour a device has to ask anew, and at once when its project is gone")
    func ends() throws {
        let scheduler = TurnScheduler()
        let service = try TestService { $0.scheduler = scheduler }
        let old = try service.listen(fid: fid(1))
        service.time.advance(seconds: 3599)
        let young = try service.listen(fid: fid(2))
        scheduler.passTime()
        #expect(old.pieces == ["[", "\r\n"])
        service.time.advance(seconds: 1)
        scheduler.passTime()
        #expect(old.pieces == ["]"] && old.next() == nil)
        #expect(young.pieces == ["[", "\r\n", "\r\n"])
        try service.services.metadata.write { try $0.delete(service.a.project) }
        scheduler.passTime()
        #expect(young.pieces == ["]"] && young.next() == nil)
        #expect(scheduler.count == 0)
    }

    @Test("Of versions that are made while devices come, none is missed")
    func comingMeanwhile() throws {
        let service = try TestService()
        let last = message(20)
        let threads = DispatchGroup()
        let heard = Mutex<[String]>([])
        for number in 0..<8 {
            DispatchQueue.global().async(group: threads) {
                guard let device = try? service.listen(fid: fid(number)) else { return }
                var text = ""
                while !text.hasSuffix(last), let piece = device.next() { text += piece }
                heard.withLock { $0.append(text) }
            }
        }
        for _ in 1...20 { try service.putTemplate(Self.template) }
        threads.wait()
        #expect(heard.withLock { $0.filter { $0.hasSuffix(last) }.count } == 8)
    }
}
