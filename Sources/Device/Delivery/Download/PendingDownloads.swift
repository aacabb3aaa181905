/// The callers that wait for models: one download per name, and its callers in the order in which they came.
/// Bookkeeping only: starts no threads and calls no caller.
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

    /// A caller's place among the callers of a download.
    struct Registration: Sendable, Equatable {
        let name: String
        let callerID: Int
        /// The download to start for this caller; nil for a caller that joins one.
        let newDownload: Int?
    }

    private var downloads: [String: Download] = [:]
    private var lastID = 0

    /// Joins the download of `name`, or begins one under these conditions.
    mutating func join(_ name: String, _ conditions: DownloadConditions, _ caller: Caller) -> Registration {
        let waiting = Waiter(id: nextID(), conditions: conditions, caller: caller)
        guard downloads[name] == nil else {
            downloads[name]?.callers.append(waiting)
            return Registration(name: name, callerID: waiting.id, newDownload: nil)
        }
        let download = Download(id: nextID(), conditions: conditions, callers: [waiting])
        downloads[name] = download
        return Registration(name: name, callerID: waiting.id, newDownload: download.id)
    }

    /// Removes a caller. A caller that comes after the last one has left begins a new download.
    ///
    /// - Returns: The caller, and the download for which no caller waits any more; nil for a caller that has its
    ///   result.
    mutating func leave(_ place: Registration) -> (caller: Caller, abandoned: Int?)? {
        guard var download = downloads[place.name],
            let index = download.callers.firstIndex(where: { $0.id == place.callerID })
        else { return nil }
        let caller = download.callers.remove(at: index).caller
        downloads[place.name] = download.callers.isEmpty ? nil : download
        return (caller, download.callers.isEmpty ? download.id : nil)
    }

    /// The callers that wait for the download; empty when it is abandoned.
    func callers(of id: Int, _ name: String) -> [Caller] {
        guard let download = downloads[name], download.id == id else { return [] }
        return download.callers.map(\.caller)
    }

    /// Ends a download. Returns the callers that get its result. If its conditions did not hold, callers with other
    /// conditions wait for a new download: `next`.
    mutating func finish(
        _ id: Int, _ name: String, conditionsHeld: Bool
    ) -> (answered: [Caller], next: (id: Int, conditions: DownloadConditions)?) {
        guard let download = downloads[name], download.id == id else { return ([], nil) }
        let staying = download.callers.filter { !conditionsHeld && $0.conditions != download.conditions }
        let answered = download.callers.filter { conditionsHeld || $0.conditions == download.conditions }
        guard let first = staying.first else {
            downloads[name] = nil
            return (answered.map(\.caller), nil)
        }
        let next = Download(id: nextID(), conditions: first.conditions, callers: staying)
        downloads[name] = next
        return (answered.map(\.caller), (next.id, next.conditions))
    }

    /// Removes and returns every caller that waits for `name`, or every caller when `name` is nil.
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
