import HearthConcurrency
package import HearthTargeting

/// What devices said in their last calls, to explain their answers later. In memory, for a bounded number of
/// installations: those that asked last. Safe to call from any thread.
///
/// A call for a model that has the same answer for all devices is not remembered: reading its facts would take longer
/// than the answer.
package final class DownloadMemory: Sendable {
    /// The last call of an installation for a model.
    package struct Call: Sendable {
        package let facts: DeviceFacts
        package let atMicroseconds: Int64
    }

    private struct Key: Hashable {
        let project: String
        let model: String
        let installation: String
    }

    /// Two generations: calls come into the newer one, and when it is full, it takes the place of the older one. So a
    /// shard remembers at least the last `size` different installations, and at most twice as many.
    private struct Generations {
        var newer: [Key: Call] = [:]
        var older: [Key: Call] = [:]
    }

    /// One lock of several, so that threads seldom wait for each other.
    private final class Shard: Sendable {
        let generations = Lock(Generations())
    }

    private let shards: [Shard]
    private let size: Int

    /// - Parameter capacity: the most calls that are remembered.
    init(capacity: Int = 10_000, shards: Int = 16) {
        self.shards = (0..<shards).map { _ in Shard() }
        size = max(1, capacity / shards / 2)
    }

    /// - Parameters:
    ///   - device: its facts are read only if the choice depends on them.
    ///   - model: display name.
    func record(
        _ choice: DownloadChoice, for device: AskingDevice, project: String, model: String, nowMicroseconds: Int64
    ) {
        guard choice.dependsOnDevice else { return }
        var facts = device.facts
        facts.knownHash = device.knownHash
        let call = Call(facts: facts, atMicroseconds: nowMicroseconds)
        let key = Key(project: project, model: model, installation: facts.installationID)
        shard(of: key).generations.withLock { generations in
            if generations.newer.count >= size, generations.newer[key] == nil {
                generations.older = generations.newer
                generations.newer = [:]
            }
            generations.newer[key] = call
        }
    }

    /// The installation's last call for the model; nil if it is not remembered.
    func lastCall(project: String, model: String, installation: String) -> Call? {
        let key = Key(project: project, model: model, installation: installation)
        return shard(of: key).generations.withLock { $0.newer[key] ?? $0.older[key] }
    }

    /// The last call of each remembered installation for the model, in no order.
    func calls(project: String, model: String) -> [Call] {
        shards.flatMap { shard in
            shard.generations.withLock { generations in
                func isMeant(_ key: Key) -> Bool { key.model == model && key.project == project }
                let older = generations.older.filter { isMeant($0.key) && generations.newer[$0.key] == nil }
                return generations.newer.filter { isMeant($0.key) }.map(\.value) + older.map(\.value)
            }
        }
    }

    /// Forgets all calls of a deleted installation.
    func forget(_ installation: String, project: String) {
        for shard in shards {
            shard.generations.withLock { generations in
                func isOther(_ key: Key) -> Bool { key.installation != installation || key.project != project }
                generations.newer = generations.newer.filter { isOther($0.key) }
                generations.older = generations.older.filter { isOther($0.key) }
            }
        }
    }

    private func shard(of key: Key) -> Shard { shards[Int(UInt(bitPattern: key.hashValue) % UInt(shards.count))] }
}
