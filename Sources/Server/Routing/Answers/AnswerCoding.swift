import HearthCompression
import HearthConcurrency
import HearthCrypto
package import HearthHTTP

/// Sends answers in the content coding that suits their requests. Safe to call from any thread.
///
/// JSON of 1 KiB and more goes as gzip to those who ask for it. A proxy that compresses answers by itself changes or removes
/// their ETag, so that a device would not recognize what it has, and an editor could not name the template that it read.
/// Such a proxy leaves an answer alone that names a coding, were it only `identity`.
///
/// The length of a compressed answer tells something about its bytes. So an answer that no cache may store, because it may
/// contain a secret, is never compressed, except for the one of `:fetch`, which has none.
package final class AnswerCoding: Sendable {
    static let leastBytes = 1024
    /// Compressing more takes milliseconds, too long for the HTTP server's threads.
    private static let quickBytes = 128 << 10

    private let bodies = CompressedBodies()

    /// - Parameter hasNoSecret: whether it may be compressed although no cache may store it.
    package func coded(_ response: Response, for head: RequestHead, hasNoSecret: Bool = false) -> Response {
        guard response.status == 200, !response.headers.contains("Content-Encoding") else { return response }
        let body = Self.compressible(response, hasNoSecret)
        let hasTag = response.headers.contains("ETag")
        guard body != nil || hasTag else { return response }
        let accepted = head.acceptedCodings
        guard body != nil || accepted.anyCoding else { return response }
        var response = response
        if body != nil { response.headers.add("Vary", "Accept-Encoding") }
        if let body, accepted.gzip, let gzip = bodies.gzip(body) {
            response.body = .bytes(gzip)
            response.headers.add("Content-Encoding", "gzip")
        } else if accepted.anyCoding, hasTag {
            response.headers.add("Content-Encoding", "identity")
        }
        return response
    }

    /// Whether coding this answer takes long.
    package func isSlow(_ response: Response, for head: RequestHead) -> Bool {
        guard case .bytes(let body) = response.body, body.count > Self.quickBytes else { return false }
        return head.acceptedCodings.gzip && !bodies.contains(body)
    }

    private static func compressible(_ response: Response, _ hasNoSecret: Bool) -> [UInt8]? {
        guard case .bytes(let body) = response.body, body.count >= leastBytes,
            response.headers["Content-Type"]?.hasPrefix("application/json") == true,
            hasNoSecret || response.headers["Cache-Control"]?.contains("no-store") != true
        else { return nil }
        return body
    }
}

/// The last compressed bodies, by the digests of the plain ones. Safe to use from any thread.
///
/// A body is kept from its second time on. So bodies that differ from device to device displace none that many devices get.
final class CompressedBodies: Sendable {
    private struct State {
        var kept: RecentEntries<SHA256Digest, [UInt8]>
        var seen: RecentEntries<SHA256Digest, Void>
    }

    private let state: Lock<State>

    /// - Parameters:
    ///   - keptBytes: of compressed bodies. Each counts at least as 16 KiB, so that there are few.
    ///   - seen: how many bodies are remembered that were compressed once.
    init(keptBytes: Int = 16 << 20, seen: Int = 16_384) {
        state = Lock(State(kept: RecentEntries(limit: keptBytes), seen: RecentEntries(limit: seen)))
    }

    /// Nil if the compressed body would not be shorter.
    func gzip(_ body: [UInt8]) -> [UInt8]? {
        let digest = Self.digest(of: body)
        if let known = state.withLock({ $0.kept.value(of: digest) }) { return known }
        let gzip = Deflate.gzip(body, .fastest)
        guard gzip.count < body.count else { return nil }
        state.withLock { state in
            if state.seen.value(of: digest) == nil {
                state.seen.set((), of: digest, cost: 1)
            } else {
                state.kept.set(gzip, of: digest, cost: max(gzip.count, Self.leastCost))
            }
        }
        return gzip
    }

    /// Whether the compressed body is kept.
    func contains(_ body: [UInt8]) -> Bool {
        let digest = Self.digest(of: body)
        return state.withLock { $0.kept.value(of: digest) != nil }
    }

    /// How many compressed bodies are kept.
    var count: Int { state.withLock { $0.kept.count } }

    private static func digest(of body: [UInt8]) -> SHA256Digest { body.withUnsafeBytes { SHA256Hasher.hash($0) } }

    private static let leastCost = 16 << 10
}

/// Values of limited cost, of which those that were not used for the longest time make room.
///
/// There are two halves. When the newer one is full, it becomes the older one, and what is used of the older one moves to
/// the newer one. So no order must be kept.
struct RecentEntries<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    private typealias Entry = (value: Value, cost: Int)

    private let limit: Int
    private var newer: [Key: Entry] = [:]
    private var older: [Key: Entry] = [:]
    private var newerCost = 0

    /// - Parameter limit: the highest cost of all values together.
    init(limit: Int) { self.limit = limit }

    var count: Int { newer.count + older.count }

    mutating func value(of key: Key) -> Value? {
        if let entry = newer[key] { return entry.value }
        guard let entry = older[key] else { return nil }
        set(entry.value, of: key, cost: entry.cost)
        return entry.value
    }

    /// A value that costs more than half of the limit is not kept.
    mutating func set(_ value: Value, of key: Key, cost: Int) {
        guard cost <= limit / 2 else { return }
        older[key] = nil
        newerCost -= newer[key]?.cost ?? 0
        if newerCost + cost > limit / 2 {
            older = newer
            older[key] = nil
            (newer, newerCost) = ([:], 0)
        }
        newer[key] = (value, cost)
        newerCost += cost
    }
}
