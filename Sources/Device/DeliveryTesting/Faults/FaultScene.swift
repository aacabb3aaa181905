import HearthWire

/// Where and when a fault happens.
struct FaultScene {
    let kind: ModelHost.RequestKind
    let linkURL: String
    let now: Timestamp
}
