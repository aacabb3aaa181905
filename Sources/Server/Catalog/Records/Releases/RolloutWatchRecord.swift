/// What the server has seen of the devices of a guarded release. Devices are named by hashes that only this server, or one
/// with the same secret, can make.
package struct RolloutWatchRecord: Sendable, Hashable {
    package var modelID: Int64
    /// The number of the release.
    package var release: Int
    /// JSON.
    package var tests: String
    package var devices: [UInt8]
    package var outside: [UInt8]

    package init(modelID: Int64, release: Int, tests: String, devices: [UInt8], outside: [UInt8]) {
        self.modelID = modelID
        self.release = release
        self.tests = tests
        self.devices = devices
        self.outside = outside
    }
}

/// A piece of what one of several servers has seen of the devices of a guarded release, until the server that decides adds
/// it to the watch.
package struct RolloutSightings: Sendable, Hashable {
    /// Assigned by the store.
    package var id: Int64
    package var modelID: Int64
    /// The number of the release.
    package var release: Int
    /// `RolloutObservation`s.
    package var observations: [UInt8]

    package init(id: Int64, modelID: Int64, release: Int, observations: [UInt8]) {
        self.id = id
        self.modelID = modelID
        self.release = release
        self.observations = observations
    }
}
