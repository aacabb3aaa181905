import HearthCalls
import HearthCatalog
import HearthHTTP
import HearthRouting
import HearthStorage
import HearthWire

/// Lists, makes and removes the pins of a model and of an experiment.
struct PinRoutes {
    private let context: RouteContext
    private let editing: PinEditing

    init(_ context: RouteContext, _ verdicts: VerdictWait) {
        self.context = context
        editing = PinEditing(context: context, verdicts: verdicts)
    }

    var routes: [CallRoute] {
        [
            reading(PinCalls.listOfModel) { call, path, store in
                .model(try ModelPath(call, path).model(store).id)
            },
            changing(PinCalls.pinVersion) { try editing.pinVersion($0, $1, $2) },
            changing(PinCalls.unpinVersion) { call, path, bytes in
                let target = try ModelPath(call, path)
                return try editing.unpin(call, bytes) { .model(try target.model($0).id) }
            },
            reading(PinCalls.listOfExperiment) { call, path, store in
                .experiment(try ExperimentEditing.record(path["experiment"], call, store).name)
            },
            changing(PinCalls.pinVariant) { try editing.pinVariant($0, $1["experiment"], $2) },
            changing(PinCalls.unpinVariant) { call, path, bytes in
                let name = path["experiment"]
                return try editing.unpin(call, bytes) {
                    .experiment(try ExperimentEditing.record(name, call, $0).name)
                }
            },
        ]
    }

    private func reading(
        _ call: some DescribedCall,
        _ subject: @escaping @Sendable (AdminCall, RouteParameters, any MetadataReader) throws -> PinSubject
    ) -> CallRoute {
        CallRoute(call) { head, path in
            context.queued(
                head, check: { try context.adminCall(head, project: path["project"], atLeast: .viewer) }
            ) { call, _, _ in
                let pins = try context.services.metadata.read { store in
                    let subject = try subject(call, path, store)
                    return try store.pins(project: call.project.id).filter { subject.has($0) }
                }
                let shown = pins.map(PinPresentation.pin)
                return try context.json(PinBodies.List(pins: shown.isEmpty ? nil : shown))
            }
        }
    }

    private func changing(
        _ call: some DescribedCall,
        _ body: @escaping @Sendable (AdminCall, RouteParameters, [UInt8]) throws -> PendingResponse
    ) -> CallRoute {
        CallRoute(call) { head, path in
            context.queuedWriteAwaitingCheck(
                head, check: { try context.adminCall(head, project: path["project"], atLeast: .publisher) }
            ) { call, _, bytes in
                try body(call, path, bytes)
            }
        }
    }
}

/// What a pin is about.
enum PinSubject: Hashable {
    case model(Int64)
    case experiment(String)

    func has(_ pin: Pin) -> Bool {
        switch pin.target {
        case .version(_, let model): self == .model(model)
        case .variant(_, let experiment): self == .experiment(experiment)
        }
    }

    /// In the audit log.
    var text: String {
        switch self {
        case .model(let id): "models/\(id)"
        case .experiment(let name): "experiments/\(name)"
        }
    }
}

/// How pins look on the wire and in the audit log.
enum PinPresentation {
    static func pin(_ pin: Pin) -> PinBodies.Pin {
        var shown = PinBodies.Pin(
            installation: nil, tag: nil, version: nil, variant: nil, createTime: WireTime.text(pin.createdMicroseconds),
            createdBy: pin.createdBy)
        switch pin.device {
        // A client that knows the id can register as that installation.
        case .installation(let id): shown.installation = InstallationLogName(id: id).description
        case .tag(let tag): shown.tag = tag
        }
        switch pin.target {
        case .version(let number, _): shown.version = number
        case .variant(let name, _): shown.variant = name
        }
        return shown
    }

    static func device(_ device: Pin.Device) -> String {
        switch device {
        case .installation(let id): InstallationLogName(id: id).description
        case .tag(let tag): "tag \(tag)"
        }
    }
}
