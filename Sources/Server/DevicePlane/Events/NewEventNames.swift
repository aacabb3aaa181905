/// How many names of events each installation has added to the present day. In memory: after a restart, it begins again.
/// It has no more entries than the day has names.
struct NewEventNames: Sendable {
    private struct Key: Hashable {
        let project: String
        let installation: String
    }

    private var day: Int64 = 0
    private var counts: [Key: Int] = [:]

    mutating func begin(day: Int64) {
        guard day != self.day else { return }
        (self.day, counts) = (day, [:])
    }

    func count(of installation: String, project: String) -> Int {
        counts[Key(project: project, installation: installation)] ?? 0
    }

    mutating func add(_ count: Int, of installation: String, project: String) {
        guard count > 0 else { return }
        counts[Key(project: project, installation: installation), default: 0] += count
    }
}
