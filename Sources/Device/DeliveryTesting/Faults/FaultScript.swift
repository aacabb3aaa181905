/// What is to go wrong with the requests that come. Pure.
struct FaultScript: Sendable {
    typealias Kind = ModelHost.RequestKind

    /// What happens to one request.
    struct Turn: Sendable {
        var fault: HostFault?
        var changes: [AnswerChange] = []
        var gate: RequestGate?
    }

    private struct Entry: Sendable {
        let fault: HostFault
        /// How often it still happens; nil for ever.
        var times: Int?
    }

    private var entries: [Kind: [Entry]] = [:]
    private var changes: [Kind: [AnswerChange]] = [:]
    private var gates: [Kind: [RequestGate]] = [:]

    mutating func add(_ fault: HostFault, to kind: Kind, times: Int?) {
        if let times, times <= 0 { return }
        entries[kind, default: []].append(Entry(fault: fault, times: times))
    }

    mutating func add(_ change: @escaping AnswerChange, to kind: Kind) { changes[kind, default: []].append(change) }

    mutating func hold(_ gate: RequestGate, _ kind: Kind) { gates[kind, default: []].append(gate) }

    mutating func endFaults() {
        entries = [:]
        changes = [:]
    }

    /// For the request that has come.
    mutating func next(_ kind: Kind) -> Turn {
        let gate = gates[kind]?.isEmpty == false ? gates[kind]?.removeFirst() : nil
        return Turn(fault: nextFault(kind), changes: changes[kind] ?? [], gate: gate)
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
