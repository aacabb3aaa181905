public import HearthCatalog

/// A record that is refused from some moment on.
public protocol EndingRecord {
    /// Nil for one without end.
    var endsMicroseconds: Int64? { get set }
    /// A fact, which no clock that goes back undoes. Whoever ends a record asks for this, not whether it is active: its time may
    /// only seem to be over, by a clock that is wrong and set right later.
    var hasEnded: Bool { get set }
}

extension EndingRecord {
    public func isActive(atMicroseconds now: Int64) -> Bool {
        !hasEnded && (endsMicroseconds.map { $0 > now } ?? true)
    }

    /// Ends it at `end`, for good where that is not in the future: then an end that was planned earlier stays the one that is told.
    public mutating func end(atMicroseconds end: Int64, nowMicroseconds now: Int64) {
        hasEnded = end <= now
        endsMicroseconds = hasEnded ? min(end, endsMicroseconds ?? end) : end
    }
}

extension AccountKey: EndingRecord {}
extension APIKey: EndingRecord {}
extension AdminToken: EndingRecord {}
