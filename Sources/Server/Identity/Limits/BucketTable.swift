/// Buckets of very many callers in memory that does not grow.
///
/// A caller's fingerprint chooses a set of eight places. Where all are taken, a newcomer takes over the fullest bucket
/// of the set with what is missing in it. So nobody ever gets a fuller bucket by being forgotten: to have it forgotten
/// does not reset it. In return a newcomer may be held to be a little busier than it was, while a set is full of callers
/// that just called.
struct BucketTable: Sendable {
    struct Bucket {
        var fingerprint: UInt64 = 0
        /// When it will be full.
        var fullMicroseconds = Int64.min
    }

    static let placesPerSet = 8

    private let setCount: Int
    private(set) var buckets: [Bucket] = []

    init(setCount: Int) { self.setCount = setCount }

    /// Takes one call out of the caller's bucket; returns what `RefillPace.take` does.
    mutating func take(_ fingerprint: UInt64, at pace: RefillPace, nowMicroseconds: Int64) -> Int64 {
        // Made at the first call: a limit that is never used costs nothing.
        if buckets.isEmpty { buckets = Array(repeating: Bucket(), count: setCount * Self.placesPerSet) }
        let place = place(of: fingerprint)
        buckets[place].fingerprint = fingerprint
        return pace.take(from: &buckets[place].fullMicroseconds, nowMicroseconds: nowMicroseconds)
    }

    private func place(of fingerprint: UInt64) -> Int {
        let first = Int(fingerprint % UInt64(setCount)) * Self.placesPerSet
        var fullest = first
        for place in first..<first + Self.placesPerSet {
            if buckets[place].fingerprint == fingerprint { return place }
            if buckets[place].fullMicroseconds < buckets[fullest].fullMicroseconds { fullest = place }
        }
        return fullest
    }
}
