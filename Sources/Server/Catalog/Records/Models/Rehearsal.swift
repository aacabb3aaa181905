/// A rehearsal that waits, runs or failed at one of several servers.
package struct OpenRehearsal: Sendable, Hashable {
    /// The id of the rehearsal, on which all servers agree.
    package var id: String
    /// Names the run of the server.
    package var server: String
    package var modelID: Int64
    /// How it is going, as JSON.
    package var body: String
    package var touchedMicroseconds: Int64

    package init(id: String, server: String, modelID: Int64, body: String, touchedMicroseconds: Int64) {
        self.id = id
        self.server = server
        self.modelID = modelID
        self.body = body
        self.touchedMicroseconds = touchedMicroseconds
    }
}
