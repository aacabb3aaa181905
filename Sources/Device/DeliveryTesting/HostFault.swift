import HearthCrypto
import HearthTransport
import HearthWire

/// Something that goes wrong with a request: see ``ModelHost/fail(_:with:times:)``.
///
/// Positions and counts below zero are taken for zero. Bytes are counted from the beginning of the file where the fault is about
/// the file, and from the beginning of the answer where it is about the connection.
public struct HostFault: Sendable, CustomStringConvertible {
    typealias Change = @Sendable (inout HostAnswer, FaultContext) -> Void

    enum Effect: Sendable {
        /// There is no answer.
        case failure(TransportError.Code)
        case change(Change)
    }

    /// The call that made it, for the output of tests.
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
    /// The host's name is not known.
    public static let nameNotFound = HostFault("nameNotFound", failure: .couldNotResolve)
    /// The host's certificate is not trusted.
    public static let notSecure = HostFault("notSecure", failure: .tls)
    /// The host does not answer in the time that the device allows. That time passes on the clock.
    public static let timeout = HostFault("timeout", failure: .timedOut)

    /// The connection breaks after so many bytes of the answer.
    public static func disconnect(afterBytes count: Int) -> HostFault {
        HostFault("disconnect(afterBytes: \(count))") { answer, _ in answer.breaksAfter = count }
    }

    /// After so many bytes nothing comes any more, until the device gives up. That time passes on the clock.
    public static func stall(afterBytes count: Int) -> HostFault {
        HostFault("stall(afterBytes: \(count))") { answer, _ in answer.stallsAfter = count }
    }

    /// The bytes come as slowly as this, on the clock.
    public static func slow(bytesPerSecond rate: Int) -> HostFault {
        HostFault("slow(bytesPerSecond: \(rate))") { answer, _ in answer.bytesPerSecond = UInt64(max(1, rate)) }
    }
}

// MARK: - The answer

extension HostFault {
    /// Another HTTP status, with an error text as Google's APIs have it, and with `Retry-After` if asked for.
    public static func status(_ status: Int, retryAfterSeconds: Int? = nil) -> HostFault {
        let after = retryAfterSeconds.map { ", retryAfterSeconds: \($0)" } ?? ""
        return HostFault("status(\(status)\(after))") { answer, _ in
            answer = .failed(status)
            answer.setHeader("Retry-After", retryAfterSeconds.map(String.init))
        }
    }

    /// The device is sent to another address.
    public static func redirect(to url: String) -> HostFault {
        HostFault("redirect(to: \(url))") { answer, _ in
            answer = HostAnswer(status: 302, headers: [("Location", url)])
        }
    }

    /// Success, with a page for people in it, as the login page of a hotel.
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

    /// For ``ModelHost/RequestKind/info``: the link in the answer is too old already. For others: status 400, as if.
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
    /// One byte of the file is another one.
    public static func alterByte(at position: Int) -> HostFault {
        HostFault("alterByte(at: \(position))") { answer, _ in
            let index = max(0, position) - answer.bodyOffset
            if answer.body.indices.contains(index) { answer.body[index] ^= 1 }
        }
    }

    /// The file ends after so many bytes, and nothing says that it should not.
    public static func truncate(to count: Int) -> HostFault {
        HostFault("truncate(to: \(count))") { answer, _ in
            answer.body = Array(answer.body.prefix(max(0, max(0, count) - answer.bodyOffset)))
        }
    }

    /// For ``ModelHost/RequestKind/info``: another file's SHA-256 is announced. For others: other bytes come, as many.
    public static let wrongHash = HostFault("wrongHash") { answer, scene in
        if scene.kind == .info {
            answer.setHeader("ETag", SHA256Hasher.hash(Array("another file".utf8)).hex)
        } else {
            for index in answer.body.indices { answer.body[index] ^= 1 }
        }
    }

    /// For ``ModelHost/RequestKind/info``: one byte more is announced than there is. For others: one byte more comes.
    public static let wrongLength = HostFault("wrongLength") { answer, scene in
        guard scene.kind == .info else {
            answer.body.append(0)
            return
        }
        guard let size = (answer.field("sizeBytes") as? String).flatMap({ UInt64($0) }) else { return }
        answer.setField("sizeBytes", String(size + 1))
    }
}

/// Where and when a fault happens.
struct FaultContext {
    let kind: ModelHost.RequestKind
    let linkURL: String
    let now: Timestamp
}

/// What is to go wrong with the requests that come. Pure.
struct FaultScript: Sendable {
    typealias Kind = ModelHost.RequestKind

    /// What happens to one request.
    struct Step: Sendable {
        var fault: HostFault?
        var changes: [AnswerChange] = []
        var barrier: RequestBarrier?
    }

    private struct Entry: Sendable {
        let fault: HostFault
        /// How often it still happens; nil for ever.
        var times: Int?
    }

    private var entries: [Kind: [Entry]] = [:]
    private var changes: [Kind: [AnswerChange]] = [:]
    private var gates: [Kind: [RequestBarrier]] = [:]

    mutating func add(_ fault: HostFault, to kind: Kind, times: Int?) {
        if let times, times <= 0 { return }
        entries[kind, default: []].append(Entry(fault: fault, times: times))
    }

    mutating func add(_ change: @escaping AnswerChange, to kind: Kind) { changes[kind, default: []].append(change) }

    mutating func hold(_ barrier: RequestBarrier, _ kind: Kind) { gates[kind, default: []].append(barrier) }

    mutating func endFaults() {
        entries = [:]
        changes = [:]
    }

    /// For the request that has come.
    mutating func next(_ kind: Kind) -> Step {
        let barrier = gates[kind]?.isEmpty == false ? gates[kind]?.removeFirst() : nil
        return Step(fault: nextFault(kind), changes: changes[kind] ?? [], barrier: barrier)
    }

    private mutating func nextFault(_ kind: Kind) -> HostFault? {
        guard var list = entries[kind], let first = list.first else { return nil }
        if let times = first.times {
            if times > 1 { list[0].times = times - 1 } else { list.removeFirst() }
            entries[kind] = list
        }
        return first.fault
    }
}
