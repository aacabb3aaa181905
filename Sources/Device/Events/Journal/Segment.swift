import HearthWire

/// A segment that nobody writes any more, and what it holds.
struct Segment: Sendable {
    let name: SegmentName
    let items: [EventBodies.Item]
    /// What follows the items is not readable.
    let isDamaged: Bool

    var last: Int64 { items.last?.sequence ?? 0 }

    var batch: EventBodies.Batch { EventBodies.Batch(journal: name.journal, items: items) }
}
