/// When the next check for a newer version is due. Pure.
///
/// The pauses differ from device to device, so that devices that were started, or that lost the server, at the same time do
/// not all come back at the same time.
struct RefreshRules: Sendable, Equatable {
    /// How the last check went.
    enum Outcome: Sendable, Equatable {
        /// The newest version is here, or nothing would change if the server were asked again soon.
        case settled
        /// The connection, the power or the app's conditions did not allow it.
        case skipped
        case failed(retryAfterSeconds: Double?)
        /// There is nothing to keep up to date any more.
        case over

        init(_ result: Result<CustomModel, DownloadFailure>) {
            guard case .failure(let failure) = result else {
                self = .settled
                return
            }
            switch failure.code {
            case .appDeleted: self = .over
            case .conditionsNotMet: self = .skipped
            case _ where failure.isTemporary: self = .failed(retryAfterSeconds: failure.retryAfterSeconds)
            default: self = .settled
            }
        }
    }

    /// Checks that come more often would be of no use, and rarer ones of none either.
    static let intervalRange = 60.0...(366 * 86_400)
    private static let firstRetrySeconds = 30.0
    private static let longestFirstWaitSeconds = 5.0

    let interval: Double
    private var failures = 0

    /// - Parameter seconds: brought into `intervalRange`.
    init(everySeconds seconds: Double) {
        let range = Self.intervalRange
        interval = seconds.isNaN ? range.lowerBound : min(max(seconds, range.lowerBound), range.upperBound)
    }

    /// A device without the model cannot wait; others check some time after the start. Not all devices at once in either case.
    /// `random`: 0..<1.
    func firstPause(isInstalled: Bool, random: Double) -> Double {
        (isInstalled ? interval / 10 : Self.longestFirstWaitSeconds) * random
    }

    /// nil when there will be no further check.
    mutating func pause(after outcome: Outcome, random: Double) -> Double? {
        switch outcome {
        case .over:
            return nil
        case .settled, .skipped:
            failures = 0
            return interval * (0.9 + 0.2 * random)
        case .failed(let retryAfter):
            failures = min(failures + 1, 32)
            var ceiling = Self.firstRetrySeconds
            for _ in 1..<failures where ceiling < interval { ceiling *= 2 }
            let pause = min(ceiling, interval) * (0.5 + 0.5 * random)
            return min(max(pause, retryAfter ?? 0), Self.intervalRange.upperBound)
        }
    }
}
