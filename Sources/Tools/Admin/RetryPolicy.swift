import HearthTransport

/// Whether a call that failed is made again, and when. Pure.
struct RetryPolicy {
    /// Calls in all, the first included.
    static let attemptLimit = 5
    /// People do not wait longer before a terminal.
    static let longestPauseSeconds: Double = 60

    /// Seconds to wait before the next call; nil when there is none.
    ///
    /// - Parameters:
    ///   - attempt: 1 for the first call.
    ///   - isIdempotent: whether the call may be made twice. One that was refused for being too many never happened.
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

    /// The connection broke. One that never came about is reported at once: the address is more often wrong than the
    /// network.
    private static func isLoss(_ error: AdminError) -> Bool {
        let losses: [TransportError.Code] = [.interrupted, .stalled, .timedOut]
        return error.transportError.map { losses.contains($0.code) } ?? false
    }

    /// What the server asks for, unless that is longer than people wait.
    private static func asked(
        _ headers: TransportHeaders, _ nowSeconds: Int64, otherwise usual: Double
    ) -> Double? {
        guard let seconds = RetryAfter.seconds(in: headers, nowSeconds: nowSeconds) else { return usual }
        return seconds <= longestPauseSeconds ? max(seconds, 0.1) : nil
    }
}
