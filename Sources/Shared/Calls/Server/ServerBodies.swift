import HearthWire

/// Bodies of `/hearth/v1/server`. Times are RFC 3339; int64 values are decimal strings.
public enum ServerBodies {
    /// The state of a server. Callers who are not operators get only the first four values.
    public struct Status: Codable, Sendable, Equatable {
        /// The version of Hearth.
        public var version: String
        /// When the server started.
        public var startTime: String
        /// Where devices reach the server: the address for the files with which apps are built. Only the route knows it.
        public var deviceUrl: String?
        /// Whether the server has a web console.
        public var console: Bool
        /// The engine that validates and runs models, such as `LiteRT 2.14.0`.
        public var engine: String?
        /// The number of the database's schema.
        public var schema: Int?
        /// The PostgreSQL database that servers share, without a password; absent if the database is in the data folder.
        public var database: String?
        /// The store of the model files that servers share, without keys; absent if they are in the data folder.
        public var modelStore: String?
        /// The folders on whose disks the server needs space.
        public var folders: [Folder]?
        /// Uploaded files that wait for their validation, or are being validated.
        public var validationQueue: Int?
        /// Those of them that are being validated now, each by a probe.
        public var runningProbes: Int?
        /// Uploaded files that this machine could not validate.
        public var validationGivenUp: Int?
        /// Open connections, including idle ones.
        public var connections: Int?
        /// Devices that listen for updates of their template.
        public var updateStreams: Int?
        /// Browsers that are signed in to the console.
        public var consoleSessions: Int?
        /// Files and records whose removal waits for `hearth admin clean`.
        public var deferredRemovals: Int?
        /// When `hearth admin backup` last finished; absent if never with these data.
        public var lastBackupTime: String?
        /// Why clients should send no requests here now, one line each; omitted when the server is ready.
        public var problems: [String]?
        /// What the operator should know although the server is ready, one line each; omitted when there is nothing.
        public var notes: [String]?
        /// All settings, none of which is a secret.
        public var settings: [Setting]?

        package init(version: String, startTime: String, console: Bool) {
            self.version = version
            self.startTime = startTime
            self.console = console
        }

        /// The part for callers who are not operators.
        package var forEveryone: Status {
            var status = Status(version: version, startTime: startTime, console: console)
            status.deviceUrl = deviceUrl
            return status
        }
    }

    /// A folder of the server.
    public struct Folder: Codable, Sendable, Equatable {
        /// `data` for the database, `blobs` for the model files; only `data` for a server that shares both with others.
        public var name: String
        /// The folder's path on the server's machine.
        public var path: String
        /// Bytes that the server may still write to the folder's disk; absent if the disk does not tell.
        public var freeBytes: String?
        /// Bytes of the whole disk; absent if the disk does not tell.
        public var sizeBytes: String?

        package init(name: String, path: String, freeBytes: String?, sizeBytes: String?) {
            self.name = name
            self.path = path
            self.freeBytes = freeBytes
            self.sizeBytes = sizeBytes
        }
    }

    /// A setting, and where its value comes from.
    public struct Setting: Codable, Sendable, Equatable {
        /// The name in a settings file; the flag is the name behind `--`.
        public var name: String
        /// The value in use; empty without one.
        public var value: String
        /// Such as `--port`, `HEARTH_PORT in the environment`, `hearth.conf, line 3`, or `default`.
        public var source: String
        /// What the setting does, in one sentence.
        public var summary: String

        package init(name: String, value: String, source: String, summary: String) {
            self.name = name
            self.value = value
            self.source = source
            self.summary = summary
        }
    }
}
