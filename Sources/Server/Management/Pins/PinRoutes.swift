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
        editing = PinEditing(verdicts: verdicts)
    }

    var routes: [CallRoute] {
        [
            context.on(PinCalls.listOfModel) { call in
                try list(call) { .model(try ModelPath(call).model($0).id) }
            },
            context.onPending(PinCalls.pinVersion) { try editing.pinVersion($0) },
            context.on(PinCalls.unpinVersion) { call in
                let target = try ModelPath(call)
                return try editing.unpin(call) { .model(try target.model($0).id) }
            },
            context.on(PinCalls.listOfExperiment) { call in
                try list(call) { .experiment(try ExperimentEditing.record(of: call, $0).name) }
            },
            context.on(PinCalls.pinVariant) { try editing.pinVariant($0) },
            context.on(PinCalls.unpinVariant) { call in
                try editing.unpin(call) {
                    .experiment(try ExperimentEditing.record(of: call, $0).name)
                }
            },
        ]
    }

    private func list(
        _ call: ReadCall, _ subject: (any MetadataReader) throws -> PinSubject
    ) throws -> PinBodies.List {
        let pins = try call.read { store in
            let subject = try subject(store)
            return try store.pins(project: call.project.id).filter { subject.has($0) }
        }
        return PinBodies.List(pins: pins.isEmpty ? nil : pins.map(PinPresentation.pin))
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
