/// Who waits for which model: one transfer per name, and its callers in the order they came. Bookkeeping only: no threads, and
/// nobody is called from here.
struct PendingDownloads<Caller> {
    private struct Download {
        let id: Int
        let conditions: DownloadConditions
        var callers: [Waiter]
    }

    private struct Waiter {
        let id: Int
        let conditions: DownloadConditions
        let caller: Caller
    }

    /// A caller's place in the table.
    struct Registration: Sendable, Equatable {
        let name: String
        let callerID: Int
        /// The transfer to start for this caller; nil for one who joins.
        let newDownload: Int?
    }

    private var downloads: [String: Download] = [:]
    private var lastID = 0

    /// Joins the transfer of `name`, or begins one under these conditions.
    mutating func join(_ name: String, _ conditions: DownloadConditions, _ caller: Caller) -> Registration {
        let waiting = Waiter(id: nextID(), conditions: conditions, caller: caller)
        guard downloads[name] == nil else {
            downloads[name]?.callers.append(waiting)
            return Registration(name: name, callerID: waiting.id, newDownload: nil)
        }
        let transfer = Download(id: nextID(), conditions: conditions, callers: [waiting])
        downloads[name] = transfer
        return Registration(name: name, callerID: waiting.id, newDownload: transfer.id)
    }

    /// The caller who leaves, and the transfer that nobody waits for any more; nil for a caller who was answered already. Who
    /// comes after the last one left begins a new transfer.
    mutating func leave(_ place: Registration) -> (caller: Caller, abandoned: Int?)? {
        guard var transfer = downloads[place.name],
            let index = transfer.callers.firstIndex(where: { $0.id == place.callerID })
        else { return nil }
        let caller = transfer.callers.remove(at: index).caller
        downloads[place.name] = transfer.callers.isEmpty ? nil : transfer
        return (caller, transfer.callers.isEmpty ? transfer.id : nil)
    }

    /// Everybody who waits for the transfer; nobody once it is abandoned.
    func callers(of id: Int, _ name: String) -> [Caller] {
        guard let transfer = downloads[name], transfer.id == id else { return [] }
        return transfer.callers.map(\.caller)
    }

    /// Those who get the transfer's result. When its conditions did not hold, callers with other ones go on in a transfer of
    /// their own: `next`.
    mutating func finish(
        _ id: Int, _ name: String, conditionsHeld: Bool
    ) -> (answered: [Caller], next: (id: Int, conditions: DownloadConditions)?) {
        guard let transfer = downloads[name], transfer.id == id else { return ([], nil) }
        let staying = transfer.callers.filter { !conditionsHeld && $0.conditions != transfer.conditions }
        let answered = transfer.callers.filter { conditionsHeld || $0.conditions == transfer.conditions }
        guard let first = staying.first else {
            downloads[name] = nil
            return (answered.map(\.caller), nil)
        }
        let next = Download(id: nextID(), conditions: first.conditions, callers: staying)
        downloads[name] = next
        return (answered.map(\.caller), (next.id, next.conditions))
    }

    /// Takes out everybody who waits for `name`, or for anything.
    mutating func remove(_ name: String? = nil) -> [Caller] {
        let removed = downloads.filter { name == nil || $0.key == name }
        for key in removed.keys { downloads[key] = nil }
        return removed.values.sorted { $0.id < $1.id }.flatMap { $0.callers.map(\.caller) }
    }

    private mutating func nextID() -> Int {
        lastID += 1
        return lastID
    }
}
