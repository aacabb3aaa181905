/// Who waits for which file. A value that keeps the callbacks; it calls none.
struct ValidationWaiters {
    typealias Callback = @Sendable (_ isDone: Bool) -> Void

    private var callbacks: [String: [Int: Callback]] = [:]
    private var lastID = 0

    mutating func add(_ sha256: String, _ callback: @escaping Callback) -> Int {
        lastID += 1
        callbacks[sha256, default: [:]][lastID] = callback
        return lastID
    }

    /// The callback, for the one who takes it first.
    mutating func take(_ id: Int, of sha256: String) -> Callback? {
        let callback = callbacks[sha256]?.removeValue(forKey: id)
        if callbacks[sha256]?.isEmpty == true { callbacks[sha256] = nil }
        return callback
    }

    mutating func takeAll(of sha256: String) -> [Callback] {
        callbacks.removeValue(forKey: sha256).map { Array($0.values) } ?? []
    }

    mutating func takeAll() -> [Callback] {
        defer { callbacks = [:] }
        return callbacks.values.flatMap(\.values)
    }
}
