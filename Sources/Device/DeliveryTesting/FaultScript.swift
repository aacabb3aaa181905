/// The faults of the following requests. Pure.
struct FaultScript: Sendable {
    typealias Kind = ModelHost.RequestKind

    /// The faults of one request.
    struct Step: Sendable {
        var fault: HostFault?
        var changes: [AnswerChange] = []
        var barrier: RequestBarrier?
    }

    private struct Entry: Sendable {
        let fault: HostFault
        /// How many more requests get the fault; nil for all.
        var times: Int?
    }

    private var entries: [Kind: [Entry]] = [:]
    private var changes: [Kind: [AnswerChange]] = [:]
    private var barriers: [Kind: [RequestBarrier]] = [:]

    mutating func add(_ fault: HostFault, to kind: Kind, times: Int?) {
        if let times, times <= 0 { return }
        entries[kind, default: []].append(Entry(fault: fault, times: times))
    }

    mutating func add(_ change: @escaping AnswerChange, to kind: Kind) { changes[kind, default: []].append(change) }

    mutating func hold(_ barrier: RequestBarrier, _ kind: Kind) { barriers[kind, default: []].append(barrier) }

    mutating func endFaults() {
        entries = [:]
        changes = [:]
    }

    /// The step of the next request.
    mutating func next(_ kind: Kind) -> Step {
        let barrier = barriers[kind]?.isEmpty == false ? barriers[kind]?.removeFirst() : nil
        return Step(fault: nextFault(kind), changes: changes[kind] ?? [], barrier: barrier)
    }

    private mutating func nextFault(_ kind: Kind) -> HostFault? {
        guard var list = entries[kind], let first = list.first else { return nil }
        if let times = first.times {
            if times > 1 { list[0].times = times - 1 } else { list.removeFirst() }
            entries[kind] = list
        }
        return first.fault
    }
}
