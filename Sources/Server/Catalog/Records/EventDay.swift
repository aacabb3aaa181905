/// How often an event came in on one day, of all of a project's installations.
public struct EventDay: Sendable, Hashable {
    public var projectID: String
    /// Since 1970-01-01, in UTC by the server's clock.
    public var day: Int64
    public var event: String
    /// The model that it was about; empty for none.
    public var model: String
    public var count: Int64
    /// Of the values.
    public var sum: Double

    public init(projectID: String, day: Int64, event: String, model: String, count: Int64, sum: Double) {
        self.projectID = projectID
        self.day = day
        self.event = event
        self.model = model
        self.count = count
        self.sum = sum
    }
}

/// How far a device's list of events is counted.
public struct EventJournal: Sendable, Hashable {
    public var projectID: String
    public var installation: String
    /// The name that the device gave its list.
    public var name: String
    /// The highest number that was counted.
    public var last: Int64
    public var touchedMicroseconds: Int64

    public init(projectID: String, installation: String, name: String, last: Int64, touchedMicroseconds: Int64) {
        self.projectID = projectID
        self.installation = installation
        self.name = name
        self.last = last
        self.touchedMicroseconds = touchedMicroseconds
    }
}
