import Foundation
import HearthTransport
import HearthWire

/// When to ask the server, and what an answer means. Pure.
enum FetchRules {
    enum Step {
        case ask
        case done(FetchOutcome)
    }

    /// - Parameters:
    ///   - youngSeconds: What was fetched less long ago is young enough.
    ///   - isFetching: Whether another fetch is under way.
    static func before(_ record: ConfigRecord, youngSeconds: Double, isFetching: Bool, now: Timestamp) -> Step {
        if let last = record.lastFetchMicroseconds, record.fetched != nil {
            // After a clock that was ahead, the age would be below 0.
            let age = Double(now.microseconds) - Double(last)
            if age >= 0, age < youngSeconds * 1_000_000 { return .done(FetchOutcome(status: .success)) }
        }
        if let end = record.pause.end(now: now) {
            return .done(FetchOutcome(status: .throttled, error: RemoteConfigError.throttled(until: end)))
        }
        // As in the original, and without an error.
        if isFetching {
            return .done(FetchOutcome(status: record.fetched == nil ? .failure : record.status))
        }
        return .ask
    }

    /// What a fetch ended with, and what is known then.
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
        if FetchPause.isBusy(response.status) {
            let asked = RetryAfter.seconds(in: response.headers, nowSeconds: now.seconds)
            record.pause.lengthen(askedSeconds: asked, random: random, now: now)
            return FetchOutcome(
                status: .throttled, error: record.pause.end(now: now).map(RemoteConfigError.throttled(until:)))
        }
        record.pause.clear()
        guard response.status == 200 || response.status == 304 else {
            return failure(RemoteConfigError.status(response.status, message(response)))
        }
        guard let answer = FetchAnswer(response.status == 304 ? [] : response.body) else {
            return failure(
                RemoteConfigError.error(.internalError, "The server's answer is not readable; is its address right?"))
        }
        if let refusal = answer.refusal { return failure(RemoteConfigError.status(response.status, refusal)) }
        take(answer, etag: response.headers["etag"], into: &record)
        record.lastFetchMicroseconds = now.microseconds
        return FetchOutcome(status: .success)
    }

    private static func take(_ answer: FetchAnswer, etag: String?, into record: inout ConfigRecord) {
        switch answer.state {
        case nil: return
        case .noChange:
            guard record.fetched != nil else { return }
            record.fetched?.experiments = answer.experiments
            record.fetched?.templateVersion = answer.templateVersion
        case .update, .emptyConfig, .noTemplate:
            let isUpdate = answer.state == .update
            record.fetched = ConfigSnapshot(
                entries: isUpdate ? answer.entries : [:], etag: etag.flatMap(sendable),
                templateVersion: answer.templateVersion, experiments: answer.experiments,
                rollouts: isUpdate ? answer.rollouts : [])
        }
    }

    /// Tags that can go into a header again.
    private static func sendable(_ etag: String) -> String? {
        (1...1024).contains(etag.utf8.count) && etag.utf8.allSatisfy { (0x21...0x7E).contains($0) } ? etag : nil
    }

    private static func message(_ response: TransportResponse) -> String? {
        try? WireJSON.decode(ErrorEnvelope.self, from: response.body).error.message
    }

    private static func failure(_ error: NSError) -> FetchOutcome { FetchOutcome(status: .failure, error: error) }
}
