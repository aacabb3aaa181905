import Synchronization

/// What the user should know of how the program was called, such as that a name is a former one: a line each.
///
/// They are told when the command has done its work: one that another program takes over leaves them to that one.
package enum UsageNotes {
    private static let notes = Mutex<[String]>([])

    /// Each is told once.
    package static func add(_ lines: [String]) {
        notes.withLock { notes in
            for line in lines where !notes.contains(line) { notes.append(line) }
        }
    }

    static func write(to terminal: Terminal = .standardError) {
        for note in notes.withLock({ $0 }) { terminal.write("note: \(note)\n") }
    }
}
