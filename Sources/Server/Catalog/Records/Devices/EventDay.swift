/// How often an event occurred on one day, over all installations of a project.
package struct EventDay: Sendable, Hashable {
    package var projectID: String
    /// Days since 1970-01-01, in UTC by the server's clock.
    package var day: Int64
    package var event: String
    /// The model that the event is about; empty for none.
    package var model: String
    package var count: Int64
    /// The sum of the values.
    package var sum: Double

    package init(projectID: String, day: Int64, event: String, model: String, count: Int64, sum: Double) {
        self.projectID = projectID
        self.day = day
        self.event = event
        self.model = model
        self.count = count
        self.sum = sum
    }
}

/// How far a device's journal of events is counted.
package struct EventJournal: Sendable, Hashable {
    package var projectID: String
    package var installation: String
    /// The name that the device gave to its journal.
    package var name: String
    /// The highest sequence number that is counted.
    package var last: Int64
    package var touchedMicroseconds: Int64

    package init(projectID: String, installation: String, name: String, last: Int64, touchedMicroseconds: Int64) {
        self.projectID = projectID
        self.installation = installation
        self.name = name
        self.last = last
        self.touchedMicroseconds = touchedMicroseconds
    }
}
