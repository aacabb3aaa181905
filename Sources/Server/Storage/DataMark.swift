/// What is said about all records of a database, in the database itself, so that every server over it knows.
package enum DataMark: String, Sendable, CaseIterable {
    /// They must not be changed for a while. Devices are answered.
    case readOnly = "read-only"
    /// They are not complete: a copy is being made. No server may start.
    case incomplete
    /// Of what an incomplete copy is made.
    case copy
    /// When a backup of records that servers share was last complete.
    case lastBackup = "last-backup"
    /// The removals that maintenance has deferred, and those that an operator has allowed, where servers share the records.
    case deferredRemovals = "deferred-removals"
    case allowedRemovals = "allowed-removals"
}
