/// What follows a failed attempt. Pure: it is told the time and given its randomness.
struct RetryRules: Sendable, Equatable {
    enum Action: Sendable, Equatable {
        case wait(seconds: Double)
        case giveUp
    }

    /// How often in a row an attempt may fail.
    var attemptLimit: Int
    /// From the first attempt to the end of the last, in seconds.
    var deadlineSeconds: Double

    static let firstPauseSeconds = 0.5
    static let longestPauseSeconds: Double = 60

    /// What may pass by itself. A refusal, an unsafe connection, wrong bytes or a full disk do not.
    private static let passing: Set<DownloadFailure.Code> = [
        .hostNotFound, .cannotConnect, .truncated, .tooSlow, .serverBusy, .serverFailed,
    ]

    /// - Parameters:
    ///   - attempt: how many attempts have failed in a row, this one included.
    ///   - elapsedSeconds: since the first attempt began.
    ///   - random: 0..<1.
    func next(
        after failure: DownloadFailure, attempt: Int, elapsedSeconds: Double, random: Double
    ) -> Action {
        guard failure.isTemporary, Self.passing.contains(failure.code), attempt < attemptLimit else { return .giveUp }
        let pause = Self.pause(attempt: attempt, random: random)
        // The pause comes on top: those whom a busy server sent away together do not come back together.
        let seconds = failure.retryAfterSeconds.map { $0 + pause } ?? pause
        return elapsedSeconds + seconds < deadlineSeconds ? .wait(seconds: seconds) : .giveUp
    }

    /// Doubles with each attempt up to the longest; then anything between half of that and all of it.
    private static func pause(attempt: Int, random: Double) -> Double {
        var full = firstPauseSeconds
        for _ in 1..<max(2, min(attempt, 32)) where attempt > 1 { full *= 2 }
        return min(full, longestPauseSeconds) * (0.5 + 0.5 * random)
    }
}
