/// Decides which item starts next on one of a few places. Projects take turns, so that the items of one project delay
/// those of another by one item at most. A value that only decides; it starts nothing.
///
/// The last free place is reserved for a project that has none. So with two places, a project that occupies one for
/// long leaves the other to all other projects. With a single place, any project may take it.
///
/// A project's items may be of several kinds. Each kind has its own queue, and the kinds of a project take turns, so
/// that many items of one kind do not delay the others.
package struct FairQueue<Item> {
    /// Items of one kind.
    private struct Line {
        /// In order, beginning at `first`. A long queue costs no more per item than a short one.
        var items: [Item] = []
        var first = 0

        var count: Int { items.count - first }

        mutating func removeFirst() -> Item {
            let item = items[first]
            first += 1
            // Removes the items that were taken, many at a time.
            if first * 2 >= items.count {
                items.removeFirst(first)
                first = 0
            }
            return item
        }
    }

    /// The waiting items of one project.
    private struct Waiting {
        var lines: [Int: Line] = [:]
        /// The kinds in `lines`, in the order of their next turns.
        var round: [Int] = []

        mutating func append(_ item: Item, kind: Int) {
            if lines[kind] == nil { round.append(kind) }
            lines[kind, default: Line()].items.append(item)
        }

        mutating func removeFirst() -> Item? {
            guard let kind = round.first, var line = lines.removeValue(forKey: kind) else { return nil }
            round.removeFirst()
            let item = line.removeFirst()
            if line.count > 0 {
                lines[kind] = line
                round.append(kind)
            }
            return item
        }
    }

    private let places: Int
    private var waiting: [String: Waiting] = [:]
    /// The projects in `waiting`, in the order of their next turns.
    private var round: [String] = []
    private var running: [String: Int] = [:]
    private var runningCount = 0

    package init(places: Int) {
        self.places = max(1, places)
    }

    package var isIdle: Bool { runningCount == 0 }

    /// How many items of the project and kind wait.
    package func waitingCount(of project: String, kind: Int = 0) -> Int { waiting[project]?.lines[kind]?.count ?? 0 }

    /// Puts an item at the end of its queue. Returns false, and changes nothing, if `most` items wait in that queue
    /// already.
    package mutating func add(_ item: Item, of project: String, kind: Int = 0, most: Int = .max) -> Bool {
        guard waitingCount(of: project, kind: kind) < most else { return false }
        if waiting[project] == nil { round.append(project) }
        waiting[project, default: Waiting()].append(item, kind: kind)
        return true
    }

    /// The item to start now. It occupies a place until `finish`.
    package mutating func next() -> (item: Item, project: String)? {
        let free = places - runningCount
        guard free > 0,
            // Each project that is skipped occupies a place, so few are skipped.
            let turn = round.firstIndex(where: { running[$0] == nil || free > 1 })
        else { return nil }
        let project = round.remove(at: turn)
        guard var rest = waiting.removeValue(forKey: project), let item = rest.removeFirst() else { return nil }
        if !rest.round.isEmpty {
            waiting[project] = rest
            round.append(project)
        }
        running[project, default: 0] += 1
        runningCount += 1
        return (item, project)
    }

    /// One of the project's items has finished, and its place is free.
    package mutating func finish(_ project: String) {
        guard let count = running[project] else { return }
        running[project] = count > 1 ? count - 1 : nil
        runningCount -= 1
    }

    /// Drops all waiting items.
    package mutating func removeAll() {
        waiting = [:]
        round = []
    }
}
