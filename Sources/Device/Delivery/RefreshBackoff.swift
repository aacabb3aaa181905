import HearthApp
import HearthClient
import HearthConcurrency
import HearthModelSource

/// When the next check for a newer version is due. Pure.
///
/// The times differ from device to device: devices that started, or lost the server, at the same time do not all come
/// back at the same time.
struct RefreshBackoff: Sendable, Equatable {
    /// How the last check went.
    enum Outcome: Sendable, Equatable {
        /// The newest version is installed, or another check soon would have the same result.
        case settled
        /// The connection, the power or the app's conditions did not allow the check.
        case skipped
        case failed(retryAfterSeconds: Double?)
        /// The app was deleted.
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

    /// More frequent or rarer checks would be useless.
    static let intervalRange = 60.0...(366 * 86_400)
    private static let longestFirstWaitSeconds = 5.0

    let interval: Double
    private var backoff: Backoff

    /// Makes the rules of a refresh.
    ///
    /// - Parameter seconds: Moved into `intervalRange`.
    init(everySeconds seconds: Double) {
        let range = Self.intervalRange
        interval = seconds.isNaN ? range.lowerBound : min(max(seconds, range.lowerBound), range.upperBound)
        backoff = Backoff(firstSeconds: 30, longestSeconds: interval)
    }

    /// How many seconds pass before the first check. A device without the model cannot wait; others check some time
    /// after the start. Both times are random, so that devices do not all ask at the same time.
    ///
    /// - Parameter random: From 0 up to, but not including, 1.
    func firstDelay(isInstalled: Bool, random: Double) -> Double {
        (isInstalled ? interval / 10 : Self.longestFirstWaitSeconds) * random
    }

    /// The seconds before the next check; nil when no further check follows.
    mutating func delay(after outcome: Outcome, random: Double) -> Double? {
        switch outcome {
        case .over:
            return nil
        case .settled, .skipped:
            backoff.reset()
            return interval * (0.9 + 0.2 * random)
        case .failed(let retryAfter):
            return backoff.next(requestedSeconds: retryAfter, random: random)
        }
    }
}
