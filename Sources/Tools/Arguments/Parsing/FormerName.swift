/// A name of an earlier version, which still works.
package enum FormerName {
    /// What is said to whoever uses it.
    package static func note(_ former: String, now present: String) -> String {
        "'\(former)' is now called '\(present)'; the old name still works."
    }
}
