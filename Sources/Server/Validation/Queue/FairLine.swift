/// Whose turn it is at one of a few places: turns go round by project, so that what one project wants keeps nobody else waiting
/// for longer than one turn. A value that decides; it starts nothing.
///
/// The last free place is for a project that has none: with two places, a project that keeps one for long leaves the other to
/// everybody else. Where there is one place only, anybody may have it.
public struct FairLine<Item> {
    private struct Waiting {
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

    private let places: Int
    private let waitingPerProject: Int
    private var lines: [String: Waiting] = [:]
    /// The projects of `lines`, the one whose turn is next first.
    private var round: [String] = []
    private var running: [String: Int] = [:]
    private var runningCount = 0

    /// - Parameter waitingPerProject: how many items of one project may wait.
    public init(places: Int, waitingPerProject: Int = .max) {
        self.places = max(1, places)
        self.waitingPerProject = waitingPerProject
    }

    public var isIdle: Bool { runningCount == 0 }

    /// Whether another item of the project may wait, or begin at once.
    public func hasRoom(for project: String) -> Bool { waitingCount(of: project) < waitingPerProject }

    /// How many items of the project wait.
    public func waitingCount(of project: String) -> Int { lines[project]?.count ?? 0 }

    /// Puts an item at the end of its project's line. False, and nothing is done, where too many wait.
    public mutating func add(_ item: Item, of project: String) -> Bool {
        guard hasRoom(for: project) else { return false }
        if lines[project] == nil { round.append(project) }
        lines[project, default: Waiting()].items.append(item)
        return true
    }

    /// The item to begin with now; it takes a place until `finish`.
    public mutating func next() -> (item: Item, project: String)? {
        let free = places - runningCount
        guard free > 0,
            // Of those that are passed over each has a place, so there are few.
            let turn = round.firstIndex(where: { running[$0] == nil || free > 1 })
        else { return nil }
        let project = round.remove(at: turn)
        guard var line = lines.removeValue(forKey: project) else { return nil }
        let item = line.removeFirst()
        if line.count > 0 {
            lines[project] = line
            round.append(project)
        }
        running[project, default: 0] += 1
        runningCount += 1
        return (item, project)
    }

    /// One of the project's items is over; its place is free.
    public mutating func finish(_ project: String) {
        guard let count = running[project] else { return }
        running[project] = count > 1 ? count - 1 : nil
        runningCount -= 1
    }

    /// Forgets what waits.
    public mutating func removeAll() {
        lines = [:]
        round = []
    }
}
