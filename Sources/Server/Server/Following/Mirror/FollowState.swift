import Foundation
import HearthFiles
import HearthStorage
import HearthWire

/// What a follower remembers besides the records: the file `follow.json` in its data folder. A folder with this file is a
/// follower's until `promotedTime` is set.
struct FollowState: Sendable, Codable, Equatable {
    /// The address of the main server.
    var main: String
    /// The id of its data; empty before the first state.
    var server = ""
    /// The highest revision of its state that was used.
    var revision: Int64 = 0
    /// When it answered last, in microseconds since 1970; 0 if it never did.
    var contactMicroseconds: Int64 = 0
    /// How many bytes of unfinished files are durable, by their hash.
    var partial: [String: UInt64] = [:]
    /// When the folder became that of a main server.
    var promotedTime: String?

    init(main: String) { self.main = main }

    /// Reads the file; nil without one.
    init?(_ layout: DataLayout) throws(ServerStartError) {
        guard PathKind(layout.followFile) != .absent else { return nil }
        do {
            let bytes = try DiskFiles().read(layout.followFile, limitBytes: 1 << 20)
            self = try WireJSON.decode(FollowState.self, from: bytes)
        } catch {
            throw ServerStartError(
                "\(layout.followFile) is damaged. Restore it from a backup, or follow into a new --data folder.",
                cause: error)
        }
    }

    func write(_ layout: DataLayout) throws {
        try AtomicFile.write(try WireJSON.encode(self), to: layout.followFile)
    }
}

/// Which server may use a folder.
extension FollowState {
    /// A main server must not change what a follower copied: the next copy would overwrite it.
    static func checkMainServer(_ layout: DataLayout) throws(ServerStartError) {
        guard let state = try FollowState(layout), state.promotedTime == nil else { return }
        throw ServerStartError(
            """
            The data folder \(layout.path) follows \(state.main). Nothing was changed. To make a main server of it, run \
            `hearth follow --promote --data \(layout.path)` first.
            """)
    }

    /// A follower must not overwrite the folder of a main server.
    static func forFollower(_ layout: DataLayout, main: String) throws(ServerStartError) -> FollowState {
        guard let state = try FollowState(layout) else {
            guard PathKind(layout.database) == .absent else {
                throw ServerStartError(
                    """
                    The data folder \(layout.path) is that of a main server, and a follower would overwrite it. Nothing was \
                    changed. Give another --data folder.
                    """)
            }
            return FollowState(main: main)
        }
        if let time = state.promotedTime {
            throw ServerStartError(
                """
                The data folder \(layout.path) became that of a main server at \(time), and a follower would overwrite it. \
                Nothing was changed. Start it with `hearth serve`, or give another --data folder.
                """)
        }
        return state
    }
}
