public import HearthCatalog

/// A record that is refused from some moment on.
public protocol EndingRecord {
    /// Nil for one without end.
    var endsMicroseconds: Int64? { get }
}

extension EndingRecord {
    public func isActive(atMicroseconds now: Int64) -> Bool { endsMicroseconds.map { $0 > now } ?? true }
}

extension AccountKey: EndingRecord {}
extension APIKey: EndingRecord {}
extension AdminToken: EndingRecord {}
