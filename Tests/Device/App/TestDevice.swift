import Foundation
import HearthDeliveryTesting
import HearthFiles
import HearthTestSupport
import HearthTransport
import HearthWire
import Synchronization

@testable import HearthApp

/// A device with one app: its own store folder, clock and network.
final class TestDevice: Sendable {
    static let start = Timestamp(rfc3339: "2026-01-01T00:00:00Z")!.seconds

    let folder: TemporaryFolder
    let transport: ScriptedTransport
    let clock = FakeClock(secondsSince1970: Double(TestDevice.start))

    init(_ transport: ScriptedTransport = InstallationServer().transport()) throws {
        folder = try TemporaryFolder()
        self.transport = transport
    }

    var nowSeconds: Int64 { clock.now().seconds }

    func wait(seconds: Int64) { clock.advance(bySeconds: Double(seconds)) }

    func environment(files: any FileOperations = DiskFiles()) -> DeviceEnvironment {
        DeviceEnvironment(
            transport: transport, files: files, storeFolder: folder.path, clock: clock, random: { 0.5 })
    }

    static func options() -> FirebaseOptions {
        let options = FirebaseOptions(googleAppID: "1:1234567890:ios:0123456789abcdef", gcmSenderID: "1234567890")
        options.apiKey = "A" + String(repeating: "k", count: 38)
        options.projectID = "demo"
        options.serverURL = "https://models.example.com"
        return options
    }

    func client(
        _ options: FirebaseOptions = TestDevice.options(), files: any FileOperations = DiskFiles(),
        didChange: @escaping @Sendable () -> Void = {}
    ) -> InstallationClient {
        InstallationClient(
            folder: folder.path + "/app", options: options, environment: environment(files: files),
            didChange: didChange)
    }

    var recordPath: String { folder.path + "/app/" + InstallationRecord.fileName }
}

/// Answers requests by a script, and records them. Use it from any thread.
final class ScriptedTransport: Transport {
    typealias Script = @Sendable (TransportRequest) throws(TransportError) -> TransportResponse

    private let script: Mutex<Script>
    private let sent = Mutex<[TransportRequest]>([])

    init(_ script: @escaping Script) { self.script = Mutex(script) }

    var requests: [TransportRequest] { sent.withLock { $0 } }

    func answer(_ script: @escaping Script) { self.script.withLock { $0 = script } }

    func send(
        _ request: TransportRequest, onHead: HeadHandler?, onBody: BodyHandler?
    ) throws(TransportError) -> TransportResponse {
        sent.withLock { $0.append(request) }
        let script = self.script.withLock { $0 }
        return try script(request)
    }
}

extension TransportRequest {
    func header(_ name: String) -> String? { headers.first { $0.0.lowercased() == name.lowercased() }?.1 }

    var json: [String: Any] {
        guard case .bytes(let bytes) = body else { return [:] }
        return (try? JSONSerialization.jsonObject(with: Data(bytes))) as? [String: Any] ?? [:]
    }
}

extension TransportResponse {
    static func json(_ text: String, status: Int = 200) -> TransportResponse {
        TransportResponse(status: status, body: Array(text.utf8))
    }
}

/// A server that registers installations and renews their tokens, in memory.
final class InstallationServer: Sendable {
    let lifetimeSeconds: Int64
    private let count = Atomic(0)

    init(lifetimeSeconds: Int64 = 604_800) { self.lifetimeSeconds = lifetimeSeconds }

    func transport() -> ScriptedTransport { ScriptedTransport { [self] in answer($0) } }

    /// Tokens are numbered in the order in which they were issued, from 1.
    func answer(_ request: TransportRequest) -> TransportResponse {
        if request.method == "DELETE" { return .json("{}") }
        let number = count.add(1, ordering: .relaxed).newValue
        let token = #"{"token":"auth-\#(number)","expiresIn":"\#(lifetimeSeconds)s"}"#
        guard request.url.hasSuffix("/installations") else { return .json(token) }
        let fid = request.json["fid"] as? String ?? ""
        return .json(
            #"{"name":"projects/1/installations/\#(fid)","fid":"\#(fid)","refreshToken":"refresh-\#(number)","authToken":\#(token)}"#
        )
    }
}
