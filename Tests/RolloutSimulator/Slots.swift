/// Time in slots of ten seconds, and what happens in each.
enum Slots {
    static let seconds: Int64 = 10
    static let perDay = 8640
    static let perHour = 360
    static let perLook = 60
    /// The time of the first slot; any that begins a period.
    static let start: Int64 = 1_800_000_000

    static func time(_ slot: Int) -> Int64 { start + Int64(slot) * seconds }
}

/// Reports that have not arrived yet, by the slot of their arrival.
struct PendingReports {
    struct Entry {
        var device: Int32
        var next: Int32
        var isOfVersion: Bool
        /// Bits: load failed, crashed, run failed, loaded, ran.
        var facts: UInt8
        /// Not a number without any.
        var logTime: Float
    }

    private var first: [Int32]
    private var entries: [Entry] = []
    private var free: Int32 = -1

    init(slots: Int) { first = Array(repeating: -1, count: slots) }

    mutating func add(_ entry: Entry, at slot: Int) {
        guard slot < first.count else { return }
        var entry = entry
        entry.next = first[slot]
        if free >= 0 {
            let place = free
            free = entries[Int(place)].next
            entries[Int(place)] = entry
            first[slot] = place
        } else {
            entries.append(entry)
            first[slot] = Int32(entries.count - 1)
        }
    }

    /// Takes one report of that slot out.
    mutating func take(_ slot: Int) -> Entry? {
        let place = first[slot]
        guard place >= 0 else { return nil }
        let entry = entries[Int(place)]
        first[slot] = entry.next
        entries[Int(place)].next = free
        free = place
        return entry
    }
}
