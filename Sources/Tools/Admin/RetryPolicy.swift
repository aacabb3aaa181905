import HearthTransport

/// Whether and when a failed call is made again. Pure.
struct RetryPolicy {
    /// The number of calls, including the first.
    static let attemptLimit = 5
    /// The longest pause that users accept at a terminal.
    static let longestPauseSeconds: Double = 60

    /// Seconds to wait before the next call; nil if there is none.
    ///
    /// - Parameters:
    ///   - attempt: 1 for the first call.
    ///   - isIdempotent: whether the call may be made twice. A call that was refused because of too many calls had no effect.
    static func delaySeconds(
        after result: Result<TransportResponse, AdminError>, attempt: Int, isIdempotent: Bool, nowSeconds: Int64
    ) -> Double? {
        guard attempt < attemptLimit else { return nil }
        let usual = backoffSeconds(attempt)
        switch result {
        case .success(let response) where response.status == 429:
            return asked(response.headers, nowSeconds, otherwise: usual)
        case .success(let response) where (502...504).contains(response.status):
            return isIdempotent ? asked(response.headers, nowSeconds, otherwise: usual) : nil
        case .success:
            return nil
        case .failure(let error):
            return isIdempotent && isLoss(error) ? usual : nil
        }
    }

    /// 1, 2, 4, 8 … 30 seconds.
    static func backoffSeconds(_ attempt: Int) -> Double {
        min(30, Double(1 << min(max(attempt - 1, 0), 5)))
    }

    /// The connection broke. A connection that could not be made is reported immediately: usually the address is wrong.
    private static func isLoss(_ error: AdminError) -> Bool {
        let losses: [TransportError.Code] = [.interrupted, .stalled, .timedOut]
        return error.transportError.map { losses.contains($0.code) } ?? false
    }

    /// The pause that the server asks for, unless it is longer than users accept.
    private static func asked(
        _ headers: TransportHeaders, _ nowSeconds: Int64, otherwise usual: Double
    ) -> Double? {
        guard let seconds = RetryAfter.seconds(in: headers, nowSeconds: nowSeconds) else { return usual }
        return seconds <= longestPauseSeconds ? max(seconds, 0.1) : nil
    }
}
