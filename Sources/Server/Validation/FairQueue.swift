/// Whose turn it is at one of a few places: turns go round by project, so that what one project wants keeps nobody else waiting
/// for longer than one turn. A value that decides; it starts nothing.
///
/// The last free place is for a project that has none: with two places, a project that keeps one for long leaves the other to
/// everybody else. Where there is one place only, anybody may have it.
///
/// What a project wants may be of several kinds. Each kind waits in a line of its own, and a project's turns go round among its
/// kinds, so that the many of one keep no other waiting.
package struct FairQueue<Item> {
    /// Items of one kind.
    private struct Line {
        /// In order, from `first` on; a long line costs no more per item than a short one.
        var items: [Item] = []
        var first = 0

        var count: Int { items.count - first }

        mutating func removeFirst() -> Item {
            let item = items[first]
            first += 1
            // What is done with is let go, a large part at a time.
            if first * 2 >= items.count {
                items.removeFirst(first)
                first = 0
            }
            return item
        }
    }

    /// What waits of one project.
    private struct Waiting {
        var lines: [Int: Line] = [:]
        /// The kinds of `lines`, the one whose turn is next first.
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
    /// The projects of `waiting`, the one whose turn is next first.
    private var round: [String] = []
    private var running: [String: Int] = [:]
    private var runningCount = 0

    package init(places: Int) {
        self.places = max(1, places)
    }

    package var isIdle: Bool { runningCount == 0 }

    /// How many items of the project and kind wait.
    package func waitingCount(of project: String, kind: Int = 0) -> Int { waiting[project]?.lines[kind]?.count ?? 0 }

    /// Puts an item at the end of its line. False, and nothing is done, where `most` wait in it already.
    package mutating func add(_ item: Item, of project: String, kind: Int = 0, most: Int = .max) -> Bool {
        guard waitingCount(of: project, kind: kind) < most else { return false }
        if waiting[project] == nil { round.append(project) }
        waiting[project, default: Waiting()].append(item, kind: kind)
        return true
    }

    /// The item to begin with now; it takes a place until `finish`.
    package mutating func next() -> (item: Item, project: String)? {
        let free = places - runningCount
        guard free > 0,
            // Of those that are passed over each has a place, so there are few.
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

    /// One of the project's items is over; its place is free.
    package mutating func finish(_ project: String) {
        guard let count = running[project] else { return }
        running[project] = count > 1 ? count - 1 : nil
        runningCount -= 1
    }

    /// Forgets what waits.
    package mutating func removeAll() {
        waiting = [:]
        round = []
    }
}
