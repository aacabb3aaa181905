import HearthHTTP
import HearthValidation
import HearthWire
import Synchronization

/// The devices that wait for news of their project's template, each with an answer that goes on. Any thread.
final class TemplateUpdates: Sendable {
    private struct State {
        var places: StreamAdmission
        var streams: [UInt64: UpdateStream] = [:]
        /// Oldest first.
        var byDevice: [UpdateStream.Device: [UInt64]] = [:]
        var byProject: [String: Set<UInt64>] = [:]
        var lastID: UInt64 = 0
        /// Whether a turn is to come.
        var isScheduled = false
    }

    /// Below the minute after which many a proxy takes a silent connection for a dead one.
    private static let keepAliveSeconds = 45.0
    /// A second process of the app, or a connection whose end is not known here yet.
    private static let streamsPerDevice = 2
    /// Nobody listens longer on the strength of one check of key and token: the device asks anew.
    private static let longestSeconds: Int64 = 3600

    private let serving: ServingState
    private let scheduler: any WorkScheduler
    private let now: @Sendable () -> Timestamp
    private let state: Mutex<State>

    /// - Parameter limits: of the streams at once; a few more where several begin at the same moment.
    init(
        _ serving: ServingState, limits: UpdateStreamLimits, scheduler: any WorkScheduler,
        now: @escaping @Sendable () -> Timestamp
    ) {
        self.serving = serving
        self.scheduler = scheduler
        self.now = now
        state = Mutex(State(places: StreamAdmission(limits)))
    }

    var count: Int { state.withLock { $0.streams.count } }

    /// Whether the device may begin a stream; where there is no place for it, one that has one gives that up for it.
    func canAdmit(for device: UpdateStream.Device, _ caller: StreamAdmission.Caller) -> Bool {
        state.withLock { $0.byDevice[device] != nil || $0.places.decision(for: caller) != .refuse }
    }

    /// Begins a device's stream, and ends the one whose place it takes. Says at once what the device does not know.
    func add(
        _ stream: ResponseStream, of device: UpdateStream.Device, _ caller: StreamAdmission.Caller,
        lastKnownVersion: Int64
    ) {
        let beginning = UpdateStream(
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
        // Behind the entry: a version that is made meanwhile is found here, or announced to the entry, or both.
        guard let number = try? serving.current().projects[device.projectID]?.template?.number else { return }
        state.withLock { $0.streams[id]?.announce(number) }
    }

    /// Tells all devices of the project that do not know of the version.
    func announce(_ number: Int64, project: String) {
        state.withLock { state in
            for id in state.byProject[project] ?? [] { state.streams[id]?.announce(number) }
        }
    }

    /// A device's own oldest stream before anybody else's.
    private static func streamToEvict(
        for device: UpdateStream.Device, _ caller: StreamAdmission.Caller, _ state: State
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

    private static func remove(_ id: UInt64, _ state: inout State) -> UpdateStream? {
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

    /// Keeps every stream alive, ends those that are too old or whose project is gone, and announces what nobody told of.
    /// One timer for all, and none while there are no streams.
    private func tick() {
        let projects = try? serving.current().projects
        let oldest = now().seconds - Self.longestSeconds
        let survivesCheck = state.withLock { state in
            for (id, stream) in state.streams {
                let isGone = projects.map { $0[stream.device.projectID] == nil } ?? false
                if isGone || stream.beganSeconds <= oldest {
                    Self.remove(id, &state)?.end()
                } else if let number = projects?[stream.device.projectID]?.template?.number,
                    number > stream.knownVersion
                {
                    state.streams[id]?.announce(number)
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

/// One device's stream of news: a JSON array that is written piece by piece, each message in one piece with a line's end
/// behind it, because clients read by pieces or by lines.
struct UpdateStream {
    struct Device: Hashable {
        let projectID: String
        /// The installation's.
        let fid: String
    }

    let device: Device
    let caller: StreamAdmission.Caller
    let beganSeconds: Int64
    /// The newest version that the device knows of.
    private(set) var knownVersion: Int64
    private let stream: ResponseStream
    private var hasMessages = false

    init(
        stream: ResponseStream, device: Device, caller: StreamAdmission.Caller, beganSeconds: Int64, knownVersion: Int64
    ) {
        self.stream = stream
        self.device = device
        self.caller = caller
        self.beganSeconds = beganSeconds
        self.knownVersion = knownVersion
        stream.write(Array("[".utf8))
    }

    /// No effect where the device knows of it.
    mutating func announce(_ number: Int64) {
        guard number > knownVersion else { return }
        knownVersion = number
        // Flat, and with nothing that is not needed: clients look for single words in it.
        stream.write(Array("\(hasMessages ? ",\r\n" : ""){\"latestTemplateVersionNumber\":\"\(number)\"}\r\n".utf8))
        hasMessages = true
    }

    func keepAlive() { stream.write(Array("\r\n".utf8)) }

    func end() {
        stream.write(Array("]".utf8))
        stream.end()
    }
}
