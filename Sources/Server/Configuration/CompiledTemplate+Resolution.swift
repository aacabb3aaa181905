extension CompiledTemplate {
    /// What one device gets.
    public struct Resolution: Sendable {
        /// In order of their keys. Keys whose value is the app's own default are left out.
        public private(set) var entries: [ConfigEntry] = []
        /// Rollouts that changed something for the device: their keys.
        public var rollouts: [String: [String]] = [:]

        init(capacity: Int) { entries.reserveCapacity(capacity) }

        /// Adds an entry whose key comes behind all others.
        mutating func append(_ entry: ConfigEntry) { entries.append(entry) }

        /// Gives keys these values, whether they had one or not.
        public mutating func replace(with entries: [ConfigEntry]) {
            for entry in entries { replace(with: entry) }
            guard !rollouts.isEmpty, !entries.isEmpty else { return }
            // What a rollout gave them does not count any more.
            let keys = Set(entries.map(\.key))
            rollouts = rollouts.mapValues { $0.filter { !keys.contains($0) } }.filter { !$0.value.isEmpty }
        }

        private mutating func replace(with entry: ConfigEntry) {
            let place = place(ofKey: entry.key)
            if place < entries.count, entries[place].key == entry.key {
                entries[place] = entry
            } else {
                entries.insert(entry, at: place)
            }
        }

        /// Of the first entry whose key is not before this one.
        private func place(ofKey key: String) -> Int {
            var low = 0
            var high = entries.count
            while low < high {
                let middle = (low + high) / 2
                if entries[middle].key < key { low = middle + 1 } else { high = middle }
            }
            return low
        }
    }
}
