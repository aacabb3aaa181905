import Foundation
import HearthCatalog
import HearthConcurrency
import HearthStorage
import HearthTargeting

/// The last calls of devices to all servers: those to this one from memory, the others from the database, which has the
/// newest of them after some seconds. Safe to use from any thread.
package final class RecentCalls: Sendable {
    /// The most calls in the database.
    static let storedLimit = 10_000
    /// The most calls that a server stores at once; people find a device among fewer.
    private static let unsentLimit = 500
    /// The least time between two writes.
    private static let writeMicroseconds: Int64 = 10_000_000

    private struct Unsent {
        var calls: [String: RecentCall] = [:]
        var writtenAt = Int64.min
    }

    private let memory = DownloadMemory()
    private let metadata: any MetadataStore
    private let isShared: Bool
    private let unsent = Lock(Unsent())

    init(_ metadata: any MetadataStore) {
        self.metadata = metadata
        isShared = metadata.coordination.isShared
    }

    /// - Parameter model: display name.
    func record(
        _ choice: DownloadChoice, for device: AskingDevice, project: String, model: String, nowMicroseconds: Int64
    ) {
        memory.record(choice, for: device, project: project, model: model, nowMicroseconds: nowMicroseconds)
        guard isShared, choice.dependsOnDevice else { return }
        var facts = device.facts
        facts.knownHash = device.knownHash
        let key = "\(project) \(facts.installationID) \(model)"
        unsent.withLock { unsent in
            guard unsent.calls.count < Self.unsentLimit || unsent.calls[key] != nil,
                let json = try? JSONEncoder().encode(facts)
            else { return }
            unsent.calls[key] = RecentCall(
                projectID: project, model: model, installation: facts.installationID,
                facts: String(decoding: json, as: UTF8.self), atMicroseconds: nowMicroseconds)
        }
    }

    /// Stores the calls for other servers, if that is due.
    func writeIfDue(monotonicMicroseconds now: Int64) throws {
        let calls = unsent.withLock { unsent -> [RecentCall] in
            let isDue = unsent.writtenAt == .min || now - unsent.writtenAt >= Self.writeMicroseconds
            guard isDue, !unsent.calls.isEmpty else { return [] }
            defer { unsent = Unsent(writtenAt: now) }
            // In one order at all servers, so that two of them wait for each other once at most.
            return unsent.calls.sorted { $0.key < $1.key }.map(\.value)
        }
        guard !calls.isEmpty else { return }
        try metadata.write { try $0.put(calls, keeping: Self.storedLimit) }
    }

    /// The installation's last call for the model; nil if no server remembers it.
    package func lastCall(project: String, model: String, installation: String) throws -> DownloadMemory.Call? {
        let own = memory.lastCall(project: project, model: model, installation: installation)
        guard isShared else { return own }
        let stored = try metadata.read { try $0.recentCall(installation, project: project, model: model) }
        return [own, stored.flatMap(Self.call)].compactMap(\.self).max { $0.atMicroseconds < $1.atMicroseconds }
    }

    /// The last call of each remembered installation for the model, in no order.
    package func calls(project: String, model: String) throws -> [DownloadMemory.Call] {
        let own = memory.calls(project: project, model: model)
        guard isShared else { return own }
        let stored = try metadata.read { try $0.recentCalls(project: project, model: model) }.compactMap(Self.call)
        let newest = Dictionary((own + stored).map { ($0.facts.installationID, $0) }) { first, second in
            first.atMicroseconds >= second.atMicroseconds ? first : second
        }
        return Array(newest.values)
    }

    /// Forgets all calls of a deleted installation. Inside of a transaction.
    func forget(_ installation: String, project: String, _ store: any MetadataWriter) throws {
        memory.forget(installation, project: project)
        guard isShared else { return }
        unsent.withLock { unsent in
            unsent.calls = unsent.calls.filter {
                $0.value.installation != installation || $0.value.projectID != project
            }
        }
        try store.deleteRecentCalls(of: installation, project: project)
    }

    /// Nil for one of another program.
    private static func call(_ stored: RecentCall) -> DownloadMemory.Call? {
        guard let facts = try? JSONDecoder().decode(DeviceFacts.self, from: Data(stored.facts.utf8)) else { return nil }
        return DownloadMemory.Call(facts: facts, atMicroseconds: stored.atMicroseconds)
    }
}
