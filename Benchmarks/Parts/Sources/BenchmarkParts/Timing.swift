/// Nanoseconds that `calls` calls take: the median of `batches` times, because other programs interrupt some of the
/// batches. A tenth more comes first, uncounted, and fills caches again that other contestants used in between.
///
/// - Parameter work: does so many calls.
public func medianNanoseconds(calls: Int, batches: Int, _ work: (Int) throws -> Void) rethrows -> Int64 {
    try work(calls * (batches / 10 + 1))
    let clock = ContinuousClock()
    var times = [Duration](repeating: .zero, count: batches)
    for batch in times.indices {
        times[batch] = try clock.measure { try work(calls) }
    }
    let (seconds, attoseconds) = times.sorted()[batches / 2].components
    return seconds * 1_000_000_000 + attoseconds / 1_000_000_000
}
