/// A name of an earlier version, which works on.
enum FormerName {
    /// What is said to whoever uses it.
    static func note(_ former: String, now present: String) -> String {
        "'\(former)' is called '\(present)' now; the old name works on."
    }
}
