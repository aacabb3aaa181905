import Foundation
import HearthClient
import HearthTransport
import HearthWire

/// When to call the server, and what an answer means. Pure.
enum FetchRules {
    enum Step {
        case fetch
        case done(FetchOutcome)
    }

    /// The first step of a fetch.
    ///
    /// - Parameters:
    ///   - minimumIntervalSeconds: How many seconds fetched values stay fresh.
    ///   - isFetching: Whether another fetch is running.
    static func before(_ record: ConfigRecord, minimumIntervalSeconds: Double, isFetching: Bool, now: Timestamp) -> Step
    {
        if let last = record.lastFetchMicroseconds, record.fetched != nil {
            // If the clock was ahead at the last fetch, the age is below 0.
            let age = Double(now.microseconds) - Double(last)
            if age >= 0, age < minimumIntervalSeconds * 1_000_000 { return .done(FetchOutcome(status: .success)) }
        }
        if let end = record.pause.end(now: now) {
            return .done(FetchOutcome(status: .throttled, error: RemoteConfigError.throttled(until: end)))
        }
        // As in the original, and without an error.
        if isFetching {
            return .done(FetchOutcome(status: record.fetched == nil ? .failure : record.status))
        }
        return .fetch
    }

    /// The state after an answer, and the outcome for the caller.
    static func after(
        _ response: TransportResponse, _ record: ConfigRecord, random: Double, now: Timestamp
    ) -> (ConfigRecord, FetchOutcome) {
        var record = record
        let outcome = outcome(response, &record, random: random, now: now)
        record.lastFetchStatus = outcome.status.rawValue
        return (record, outcome)
    }

    private static func outcome(
        _ response: TransportResponse, _ record: inout ConfigRecord, random: Double, now: Timestamp
    ) -> FetchOutcome {
        if response.isBusy {
            record.pause.increase(
                requestedSeconds: response.retryAfterSeconds(now: now), random: random, now: now)
            return FetchOutcome(
                status: .throttled, error: record.pause.end(now: now).map(RemoteConfigError.throttled(until:)))
        }
        record.pause.clear()
        guard response.status == 200 || response.status == 304 else {
            return failure(RemoteConfigError.status(response.status, response.refusalReason))
        }
        guard let answer = FetchResponse(response.status == 304 ? [] : response.body) else {
            return failure(
                RemoteConfigError.error(.internalError, "Malformed response from the server; check its address."))
        }
        if let refusal = answer.refusal { return failure(RemoteConfigError.status(response.status, refusal)) }
        apply(answer, etag: response.headers["etag"], into: &record)
        record.lastFetchMicroseconds = now.microseconds
        return FetchOutcome(status: .success)
    }

    private static func apply(_ answer: FetchResponse, etag: String?, into record: inout ConfigRecord) {
        switch answer.state {
        case nil: return
        case .noChange:
            guard record.fetched != nil else { return }
            record.fetched?.experiments = answer.experiments
            record.fetched?.templateVersion = answer.templateVersion
        case .update, .emptyConfig, .noTemplate:
            let isUpdate = answer.state == .update
            record.fetched = ConfigSnapshot(
                entries: isUpdate ? answer.entries : [:], etag: etag.flatMap(headerSafe),
                templateVersion: answer.templateVersion, experiments: answer.experiments,
                rollouts: isUpdate ? answer.rollouts : [])
        }
    }

    /// The ETag, if a header can contain it.
    private static func headerSafe(_ etag: String) -> String? {
        (1...1024).contains(etag.utf8.count) && etag.utf8.allSatisfy { (0x21...0x7E).contains($0) } ? etag : nil
    }

    private static func failure(_ error: NSError) -> FetchOutcome { FetchOutcome(status: .failure, error: error) }
}

/// How a fetch ended, for its caller.
struct FetchOutcome: Sendable {
    var status: RemoteConfigFetchStatus
    /// In ``RemoteConfigErrorDomain``.
    var error: NSError?
}

/// When the app may call a busy server again. Pure. Uses the time of day, because the record is stored between
/// processes.
struct FetchBackoff: Codable, Sendable, Equatable {
    private static let longestSeconds = 14_400.0
    private static let longestBackoffSeconds = Backoff.longestRequestedSeconds + longestSeconds

    /// The ``Backoff/lastSeconds``.
    private var seconds = 0.0
    private var endMicroseconds: Int64?

    /// nil when the app may call the server. An end later than the longest backoff comes from a wrong clock, and is
    /// ignored.
    func end(now: Timestamp) -> Timestamp? {
        guard let endMicroseconds, endMicroseconds > now.microseconds,
            Double(endMicroseconds) - Double(now.microseconds) <= Self.longestBackoffSeconds * 1_000_000
        else { return nil }
        return Timestamp(microseconds: endMicroseconds)
    }

    /// Begins the next backoff. The parameters are those of ``Backoff/next(requestedSeconds:random:)``.
    mutating func increase(requestedSeconds: Double?, random: Double, now: Timestamp) {
        var backoff = Backoff(firstSeconds: 120, longestSeconds: Self.longestSeconds, lastSeconds: seconds)
        let delay = backoff.next(requestedSeconds: requestedSeconds, random: random)
        seconds = backoff.lastSeconds
        endMicroseconds = now.microseconds + Int64(delay * 1_000_000)
    }

    mutating func clear() { self = FetchBackoff() }
}

/// The readable parts of an answer's body. The server is not trusted.
struct FetchResponse: Decodable, Sendable, Equatable {
    var entries: [String: String] = [:]
    /// nil for an unknown state, which changes nothing.
    var state: RemoteConfigFetchResponse.State?
    var templateVersion = "0"
    var experiments: [RemoteConfigExperiment] = []
    var rollouts: [RemoteConfigFetchResponse.RolloutMetadata] = []
    /// The server's text when an answer with status 200 contains an error.
    var refusal: String?

    private enum CodingKeys: String, CodingKey {
        case entries, state, templateVersion, experimentDescriptions, rolloutMetadata, error
    }

    init() {}

    init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        entries = try values.decodeIfPresent([String: String].self, forKey: .entries) ?? [:]
        state = (try? values.decode(String.self, forKey: .state)).flatMap(RemoteConfigFetchResponse.State.init)
        if let text = try? values.decode(String.self, forKey: .templateVersion), Int64(text) != nil {
            templateVersion = text
        } else if let number = try? values.decode(Int64.self, forKey: .templateVersion) {
            templateVersion = "\(number)"
        }
        experiments = Self.readable(values, .experimentDescriptions)
        rollouts = Self.readable(values, .rolloutMetadata)
        if values.allKeys == [.error] {
            refusal = (try? values.decode(ErrorEnvelope.Detail.self, forKey: .error))?.message ?? "no reason"
        }
    }

    /// nil for bytes that are not a JSON object, and for entries that are not texts. An empty body is an answer without
    /// changes.
    init?(_ bytes: [UInt8]) {
        if bytes.isEmpty { return }
        guard let answer = try? WireJSON.decode(FetchResponse.self, from: bytes) else { return nil }
        self = answer
    }

    /// The elements of the known form: elements that another server adds must not cost the rest.
    private static func readable<Element: Decodable>(
        _ values: KeyedDecodingContainer<CodingKeys>, _ key: CodingKeys
    ) -> [Element] {
        let elements = try? values.decode([Lossy<Element>].self, forKey: key)
        return (elements ?? []).compactMap(\.value)
    }
}

private struct Lossy<Value: Decodable>: Decodable {
    let value: Value?

    init(from decoder: any Decoder) { value = try? Value(from: decoder) }
}
