import Foundation
import HearthCalls
import HearthCatalog
import HearthConcurrency
import HearthRouting
import HearthStorage
import HearthValidation
import HearthWire

/// The rehearsals that wait, run or failed at any of several servers: each server writes what its queue says, so that a
/// question reaches the right answer at all of them. Safe to use from any thread.
final class OpenRehearsals: Sendable {
    /// How often the progress is written while rehearsals are open.
    private static let writeMicroseconds: Int64 = 2_000_000
    /// What was not written for so long is that of a server that has ended.
    private static let aliveMicroseconds: Int64 = 60_000_000

    /// How old a record becomes that says the same as before.
    private static let touchMicroseconds: Int64 = 20_000_000

    private struct State {
        /// By id, what was written last.
        var written: [String: OpenRehearsal] = [:]
        var writtenAt = Int64.min
    }

    private let server = UUID().uuidString
    private let services: Services
    private let metadata: any MetadataStore
    private let queue: RehearsalQueue
    private let state = Lock(State())

    /// Nil for a server that is alone: its queue knows all.
    init?(_ services: Services, _ metadata: any MetadataStore, _ queue: RehearsalQueue) {
        guard metadata.coordination.isShared else { return nil }
        self.services = services
        self.metadata = metadata
        self.queue = queue
    }

    private func record(_ progress: RehearsalQueue.Progress) throws -> OpenRehearsal {
        OpenRehearsal(
            id: progress.request.id, server: server, modelID: progress.request.model.id,
            body: String(decoding: try WireJSON.encode(RehearsalPresentation.rehearsal(progress)), as: UTF8.self),
            touchedMicroseconds: services.now().microseconds)
    }

    /// Shows a rehearsal that was just requested, before the caller has its answer.
    func show(_ progress: RehearsalQueue.Progress) throws { try write([progress]) }

    /// Writes the progress, if that is due.
    func writeIfDue(monotonicMicroseconds now: Int64) throws {
        let open = queue.open
        let ids = Set(open.map(\.request.id))
        let gone = state.withLock { state -> Set<String>? in
            guard !open.isEmpty || !state.written.isEmpty,
                state.writtenAt == .min || now - state.writtenAt >= Self.writeMicroseconds
            else { return nil }
            state.writtenAt = now
            return Set(state.written.keys).subtracting(ids)
        }
        if let gone { try write(open, removing: gone) }
    }

    private func write(_ open: [RehearsalQueue.Progress], removing gone: Set<String> = []) throws {
        let now = services.now().microseconds
        let written = state.withLock { $0.written }
        let records = try open.map(record).sorted { $0.id < $1.id }.filter { record in
            guard let last = written[record.id], last.body == record.body else { return true }
            return abs(now - last.touchedMicroseconds) >= Self.touchMicroseconds
        }
        guard !records.isEmpty || !gone.isEmpty else { return }
        let oldest = now - Self.aliveMicroseconds
        try metadata.write { store in
            for record in records { try store.put(record) }
            for id in gone { try store.deleteOpenRehearsal(id, server: server) }
            try store.deleteOpenRehearsals(untouchedSinceMicroseconds: oldest)
        }
        state.withLock { state in
            for record in records { state.written[record.id] = record }
            for id in gone { state.written[id] = nil }
        }
    }

    /// Those of the model at other servers.
    func others(model: Int64) throws -> [RehearsalBodies.Rehearsal] {
        let oldest = services.now().microseconds - Self.aliveMicroseconds
        return try metadata.read { try $0.openRehearsals(model: model) }
            .filter { $0.server != server && $0.touchedMicroseconds > oldest }
            .compactMap { try? WireJSON.decode(RehearsalBodies.Rehearsal.self, from: Array($0.body.utf8)) }
    }
}
