import HearthConcurrency
import HearthHTTP
import HearthRouting
import HearthServing
import HearthWire
import HearthWork

/// The devices that wait for updates of their project's template, each with a streamed answer. Safe to call from any
/// thread.
package final class TemplateUpdates: Sendable {
    /// The open streams.
    private struct State {
        var places: StreamAdmission
        var streams: [UInt64: DeviceStream] = [:]
        /// Oldest first.
        var byDevice: [DeviceStream.Device: [UInt64]] = [:]
        var byProject: [String: Set<UInt64>] = [:]
        var lastID: UInt64 = 0
        /// Whether the next tick is scheduled.
        var isScheduled = false
    }

    /// Below a minute, because many proxies close a connection that was silent for a minute.
    private static let keepAliveSeconds = 45.0
    /// One for a second process of the app, or for a connection whose end the server has not noticed yet.
    private static let streamsPerDevice = 2
    /// The longest time that one check of key and token allows. Then the stream ends, and the device calls again.
    private static let longestSeconds: Int64 = 3600

    private let serving: ServingState
    private let scheduler: any WorkScheduler
    private let now: @Sendable () -> Timestamp
    private let state: Lock<State>

    /// - Parameter limits: of simultaneous streams; slightly more if several begin at the same moment.
    init(
        _ serving: ServingState, limits: UpdateStreamLimits, scheduler: any WorkScheduler,
        now: @escaping @Sendable () -> Timestamp
    ) {
        self.serving = serving
        self.scheduler = scheduler
        self.now = now
        state = Lock(State(places: StreamAdmission(limits)))
    }

    package var count: Int { state.withLock { $0.streams.count } }

    /// Whether the device may begin a stream. If no place is free, another stream of the device is evicted for it.
    func canAdmit(for device: DeviceStream.Device, _ caller: StreamAdmission.Caller) -> Bool {
        state.withLock { $0.byDevice[device] != nil || $0.places.decision(for: caller) != .refuse }
    }

    /// Begins a device's stream, ends the stream that it replaces, and announces a version that the device does not
    /// know.
    func add(
        _ stream: ResponseStream, of device: DeviceStream.Device, _ caller: StreamAdmission.Caller,
        lastKnownVersion: Int64
    ) {
        let beginning = DeviceStream(
            stream: stream, device: device, caller: caller, beganSeconds: now().seconds, knownVersion: lastKnownVersion)
        let (id, isFirst) = state.withLock { state in
            if let given = Self.streamToEvict(for: device, caller, state) { Self.remove(given, &state)?.end() }
            state.lastID += 1
            state.places.add(state.lastID, of: caller)
            state.streams[state.lastID] = beginning
            state.byDevice[device, default: []].append(state.lastID)
            state.byProject[device.projectID, default: []].insert(state.lastID)
            defer { state.isScheduled = true }
            return (state.lastID, !state.isScheduled)
        }
        stream.onClose { [weak self] in self?.forget(id) }
        if isFirst { scheduleTick() }
        // After the entry: a version that is created meanwhile is found here, or announced to the entry, or both.
        guard let number = try? serving.forWaitingDevices().projects[device.projectID]?.template?.number else { return }
        state.withLock { $0.streams[id]?.announce(number) }
    }

    /// Announces the version to all waiting devices of the project that do not know it yet.
    ///
    /// - Parameter isOther: whether the database is another one than before. It may have another version of a number that was
    ///   announced, so all devices hear of it.
    func announce(_ number: Int64, project: String, isOther: Bool = false) {
        state.withLock { state in
            for id in state.byProject[project] ?? [] {
                if isOther { state.streams[id]?.forget(from: number) }
                state.streams[id]?.announce(number)
            }
        }
    }

    /// The device's own oldest stream, or else the stream of another device.
    private static func streamToEvict(
        for device: DeviceStream.Device, _ caller: StreamAdmission.Caller, _ state: State
    ) -> UInt64? {
        let own = state.byDevice[device, default: []]
        if own.count >= streamsPerDevice { return own.first }
        switch state.places.decision(for: caller) {
        case .admit: return nil
        case .evict(let id): return own.first ?? id
        case .refuse: return own.first
        }
    }

    private func forget(_ id: UInt64) { state.withLock { _ = Self.remove(id, &$0) } }

    private static func remove(_ id: UInt64, _ state: inout State) -> DeviceStream? {
        guard let stream = state.streams.removeValue(forKey: id) else { return nil }
        state.places.remove(id, of: stream.caller)
        state.byDevice[stream.device]?.removeAll { $0 == id }
        if state.byDevice[stream.device]?.isEmpty == true { state.byDevice[stream.device] = nil }
        let project = stream.device.projectID
        state.byProject[project]?.remove(id)
        if state.byProject[project]?.isEmpty == true { state.byProject[project] = nil }
        return stream
    }

    private func scheduleTick() {
        scheduler.run(afterSeconds: Self.keepAliveSeconds) { [weak self] in self?.tick() }
    }

    /// Keeps every stream alive, and ends those that are too old or whose project was deleted. It asks for the snapshot, which
    /// announces a template that no other caller has found yet. One timer serves all streams; without streams there is none.
    private func tick() {
        let projects = try? serving.forWaitingDevices().projects
        let oldest = now().seconds - Self.longestSeconds
        let survivesCheck = state.withLock { state in
            for (id, stream) in state.streams {
                let isGone = projects.map { $0[stream.device.projectID] == nil } ?? false
                if isGone || stream.beganSeconds <= oldest {
                    Self.remove(id, &state)?.end()
                } else {
                    stream.keepAlive()
                }
            }
            state.isScheduled = !state.streams.isEmpty
            return state.isScheduled
        }
        if survivesCheck { scheduleTick() }
    }
}
