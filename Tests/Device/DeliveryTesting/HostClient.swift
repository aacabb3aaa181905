import Foundation
import HearthDeliveryTesting
import HearthTransport
import HearthWire

/// Calls a host as a device does.
struct HostClient {
    static let id = "cAAAAAAAAAAAAAAAAAAAAA"

    let host: ModelHost
    let installationsURL: String

    init(_ host: ModelHost = ModelHost()) {
        self.host = host
        installationsURL = host.serverURL + "/v1/projects/demo/installations"
    }

    func send(
        _ method: String, _ url: String, _ headers: [(String, String)] = [], body: String? = nil, hasKey: Bool = true
    ) throws -> TransportResponse {
        try host.transport.send(
            TransportRequest(
                method: method, url: url, headers: (hasKey ? [("x-goog-api-key", "key")] : []) + headers,
                body: body.map { .bytes(Array($0.utf8)) } ?? .none))
    }

    func register() throws -> InstallationBodies.CreateResponse {
        let answer = try send("POST", installationsURL, body: #"{"fid":"\#(Self.id)","authVersion":"FIS_v2"}"#)
        return try WireJSON.decode(InstallationBodies.CreateResponse.self, from: answer.body)
    }

    /// The answer to the call `…:download`, with a new token unless one is passed.
    func info(_ name: String, token: String? = nil, installedHash: String? = nil) throws -> TransportResponse {
        var headers = [("x-goog-firebase-installations-auth", try token ?? register().authToken.token)]
        if let installedHash { headers.append(("If-None-Match", installedHash)) }
        return try send("GET", host.serverURL + "/v1beta2/projects/demo/models/\(name):download", headers)
    }

    func link(_ name: String) throws -> DownloadInfo {
        try WireJSON.decode(DownloadInfo.self, from: try info(name).body)
    }

    func file(_ link: String, _ headers: [(String, String)] = []) throws -> TransportResponse {
        try send("GET", link, headers, hasKey: false)
    }
}

extension TransportResponse {
    /// The message of an error envelope.
    var problem: String? { (try? WireJSON.decode(ErrorEnvelope.self, from: body))?.error.status }
}
