import HearthCrypto
import HearthTransport
import HearthWire

/// A fault of a request: see ``ModelHost/fail(_:with:times:)``.
///
/// Negative positions and counts stand for zero. Faults of the file count bytes from the beginning of the file, faults
/// of the connection from the beginning of the answer.
public struct HostFault: Sendable, CustomStringConvertible {
    typealias Change = @Sendable (inout HostAnswer, FaultContext) -> Void

    enum Effect: Sendable {
        /// The request gets no answer.
        case failure(TransportError.Code)
        /// The answer is changed.
        case change(Change)
    }

    /// The call that made the fault, for the output of tests.
    public let description: String
    let effect: Effect

    private init(_ description: String, failure: TransportError.Code) {
        (self.description, effect) = (description, .failure(failure))
    }

    private init(_ description: String, _ change: @escaping Change) {
        (self.description, effect) = (description, .change(change))
    }
}

// MARK: - The connection

extension HostFault {
    /// The host accepts no connection, or the network is down.
    public static let offline = HostFault("offline", failure: .couldNotConnect)
    /// The host's name cannot be resolved.
    public static let nameNotFound = HostFault("nameNotFound", failure: .couldNotResolve)
    /// The host's certificate is not trusted.
    public static let notSecure = HostFault("notSecure", failure: .tls)
    /// The host does not answer within the time that the device allows. That time passes on the clock.
    public static let timeout = HostFault("timeout", failure: .timedOut)

    /// The connection ends after this many bytes of the answer.
    public static func disconnect(afterBytes count: Int) -> HostFault {
        HostFault("disconnect(afterBytes: \(count))") { answer, _ in answer.breaksAfter = count }
    }

    /// After this many bytes, no further bytes arrive until the device gives up. That time passes on the clock.
    public static func stall(afterBytes count: Int) -> HostFault {
        HostFault("stall(afterBytes: \(count))") { answer, _ in answer.stallsAfter = count }
    }

    /// The bytes arrive at this rate, on the clock.
    public static func slow(bytesPerSecond rate: Int) -> HostFault {
        HostFault("slow(bytesPerSecond: \(rate))") { answer, _ in answer.bytesPerSecond = UInt64(max(1, rate)) }
    }
}

// MARK: - The answer

extension HostFault {
    /// Another HTTP status, with an error text as in Google's APIs, and with `Retry-After` if requested.
    public static func status(_ status: Int, retryAfterSeconds: Int? = nil) -> HostFault {
        let after = retryAfterSeconds.map { ", retryAfterSeconds: \($0)" } ?? ""
        return HostFault("status(\(status)\(after))") { answer, _ in
            answer = .failed(status)
            answer.setHeader("Retry-After", retryAfterSeconds.map(String.init))
        }
    }

    /// The host redirects the device to another address.
    public static func redirect(to url: String) -> HostFault {
        HostFault("redirect(to: \(url))") { answer, _ in
            answer = HostAnswer(status: 302, headers: [("Location", url)])
        }
    }

    /// Status 200 with a web page, such as the login page of a hotel.
    public static let captivePortal = HostFault("captivePortal") { answer, _ in
        answer = HostAnswer(
            headers: [("Content-Type", "text/html")],
            body: Array("<html><body>Welcome! Please log in.</body></html>".utf8))
    }

    /// The answer's body never ends.
    public static let endless = HostFault("endless") { answer, _ in
        if answer.body.isEmpty { answer.body = [0] }
        answer.isEndless = true
    }

    /// For ``ModelHost/RequestKind/info``: the link in the answer has expired. For other requests: status 400, as if a
    /// link had expired.
    public static let expiredLink = HostFault("expiredLink") { answer, scene in
        guard scene.kind == .info else {
            answer = .error(.invalidArgument, "The link has expired; ask for a new one.")
            return
        }
        guard let text = answer.field("downloadUri") as? String else { return }
        var link = FileLink(text, baseURL: scene.linkURL)
        let expired = scene.now.adding(seconds: -1)
        link.expires = expired
        answer.setField("downloadUri", link.url)
        answer.setField("expireTime", expired.rfc3339(fractionDigits: 3))
    }
}

// MARK: - The file

extension HostFault {
    /// One byte of the file is changed.
    public static func alterByte(at position: Int) -> HostFault {
        HostFault("alterByte(at: \(position))") { answer, _ in
            let index = max(0, position) - answer.bodyOffset
            if answer.body.indices.contains(index) { answer.body[index] ^= 1 }
        }
    }

    /// The file ends after this many bytes, and the answer announces that length.
    public static func truncate(to count: Int) -> HostFault {
        HostFault("truncate(to: \(count))") { answer, _ in
            answer.body = Array(answer.body.prefix(max(0, max(0, count) - answer.bodyOffset)))
        }
    }

    /// For ``ModelHost/RequestKind/info``: the answer announces the SHA-256 of another file. For other requests: the
    /// same number of other bytes arrives.
    public static let wrongHash = HostFault("wrongHash") { answer, scene in
        if scene.kind == .info {
            answer.setHeader("ETag", SHA256Hasher.hash(Array("another file".utf8)).hex)
        } else {
            for index in answer.body.indices { answer.body[index] ^= 1 }
        }
    }

    /// For ``ModelHost/RequestKind/info``: the answer announces one byte more than the file has. For other requests:
    /// one byte more arrives.
    public static let wrongLength = HostFault("wrongLength") { answer, scene in
        guard scene.kind == .info else {
            answer.body.append(0)
            return
        }
        guard let size = (answer.field("sizeBytes") as? String).flatMap({ UInt64($0) }) else { return }
        answer.setField("sizeBytes", String(size + 1))
    }
}

/// The request and the time of a fault.
struct FaultContext {
    let kind: ModelHost.RequestKind
    let linkURL: String
    let now: Timestamp
}
