import Dispatch

/// At most `count` holders at once, or one that is alone; the others wait.
final class Turns: Sendable {
    private let count: Int
    private let places: DispatchSemaphore
    /// Held by the one who gathers all places: two who gather at once would wait for each other.
    private let gathering = DispatchSemaphore(value: 1)

    init(count: Int) {
        self.count = max(1, count)
        places = DispatchSemaphore(value: self.count)
    }

    func take<Result, Failure: Error>(_ body: () throws(Failure) -> Result) throws(Failure) -> Result {
        places.wait()
        defer { places.signal() }
        return try body()
    }

    /// Not to be called by a holder.
    func takeAlone<Result, Failure: Error>(_ body: () throws(Failure) -> Result) throws(Failure) -> Result {
        gathering.wait()
        for _ in 0..<count { places.wait() }
        gathering.signal()
        defer { for _ in 0..<count { places.signal() } }
        return try body()
    }
}
