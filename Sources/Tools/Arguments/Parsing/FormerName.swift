import HearthConcurrency

/// A name of an earlier version, which still works.
package enum FormerName {
    /// What is said to whoever uses it.
    package static func note(_ former: String, now present: String) -> String {
        "'\(former)' is now called '\(present)'; the old name still works."
    }
}

/// What the user should know of how the program was called, such as that a name is a former one: a line each.
///
/// They are told when the command has done its work: one that another program takes over leaves them to that one.
package enum UsageNotes {
    private static let notes = Lock<[String]>([])

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
