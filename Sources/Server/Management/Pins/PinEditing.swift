import HearthCalls
import HearthCatalog
import HearthExperiments
import HearthHTTP
import HearthRouting
import HearthStorage
import HearthWire

/// Changes of pins, one transaction each.
struct PinEditing: Sendable {
    let verdicts: VerdictWait

    /// Waits for the verdict if the version is still being validated. The answer is the pin.
    func pinVersion(_ call: ChangeCall<PinBodies.PinVersionRequest>) throws -> PendingAnswer<PinBodies.Pin> {
        let body = try call.body("a request for a pin")
        let device = try PinnedDevice(installation: body.installation, tag: body.tag)
        let target = try ModelPath(call)
        let wanted = try call.read {
            try ModelPath.version(body.version, of: target.model($0), $0)
        }
        let answer = { @Sendable () throws -> PinBodies.Pin in
            try write(call) { store, log in
                let model = try target.model(store)
                let known = try ModelPath.version(body.version, of: model, store)
                try Self.check(known, of: model, isAllowed: body.allowCrashing ?? false, store, log.atMicroseconds)
                let crash = known.validation.verdict.isCrash ? ", although it crashed the engine here" : ""
                return (
                    .model(model.id), try device.toPin(in: call.project, store),
                    .version(body.version, model: model.id), "version \(body.version)\(crash)"
                )
            }
        }
        guard wanted.validation.verdict == .pending else { return .ready(try answer()) }
        return .later(verdicts.wait(for: wanted.version.sha256), then: answer)
    }

    /// A draft may have pins too: they apply from its start on.
    func pinVariant(_ call: ChangeCall<PinBodies.PinVariantRequest>) throws -> PinBodies.Pin {
        let (body, name) = (try call.body("a request for a pin"), call.path["experiment"])
        let device = try PinnedDevice(installation: body.installation, tag: body.tag)
        return try write(call) { store, _ in
            let experiment = try ExperimentCoding.experiment(ExperimentEditing.record(of: call, store))
            guard experiment.state == .draft || experiment.state == .running else {
                throw CatalogError(
                    .failedPrecondition, "'\(name)' has ended, so its variants cannot be pinned; pin a version.")
            }
            guard experiment.variants.contains(where: { $0.name == body.variant }) else {
                let names = experiment.variants.map(\.name).joined(separator: ", ")
                throw APIError(
                    .notFound, "The experiment '\(name)' has no variant '\(body.variant)'; it has \(names).")
            }
            return (
                .experiment(name), try device.toPin(in: call.project, store), .variant(body.variant, experiment: name),
                "variant \(body.variant)"
            )
        }
    }

    func unpin(
        _ call: ChangeCall<PinBodies.UnpinRequest>, _ subject: (any MetadataReader) throws -> PinSubject
    ) throws -> PinBodies.Pin {
        let body = try call.body("a request to remove a pin")
        let device = try PinnedDevice(installation: body.installation, tag: body.tag)
        let removed = try call.change { store, log in
            let subject = try subject(store)
            guard
                let pin = try store.pins(project: call.project.id).first(where: {
                    subject.has($0) && device.matches($0.device)
                })
            else { throw APIError(.notFound, "There is no such pin.") }
            try store.delete(pin)
            try log.add("\(subject.verbPrefix).unpin", subject.text, PinPresentation.device(pin.device))
            return pin
        }
        return PinPresentation.pin(removed)
    }

    private func write(
        _ call: ChangeCall<some Sendable>,
        _ decide: (any MetadataWriter, AuditLog) throws -> (PinSubject, Pin.Device, Pin.Target, detail: String)
    ) throws -> PinBodies.Pin {
        let pin = try call.change { store, log in
            let (subject, device, target, detail) = try decide(store, log)
            let pin = Pin(
                projectID: call.project.id, device: device, target: target, createdMicroseconds: log.atMicroseconds,
                createdBy: call.actor)
            let others = try store.pins(project: call.project.id).filter { !$0.isReplaced(by: pin) }
            guard others.count < Pin.limit else {
                throw CatalogError(
                    .failedPrecondition,
                    "A project may have at most \(Pin.limit) pins; remove some, or pin a tag that the devices send.")
            }
            try store.put(pin)
            try log.add("\(subject.verbPrefix).pin", subject.text, "\(PinPresentation.device(device)): \(detail)")
            return pin
        }
        return PinPresentation.pin(pin)
    }

    /// As for a release, except that the contract may differ: a pin is for the devices of people who try something.
    private static func check(
        _ known: ModelLifecycle.KnownVersion, of model: Model, isAllowed: Bool, _ store: any MetadataReader,
        _ nowMicroseconds: Int64
    ) throws {
        let number = known.version.number
        switch known.validation.verdict {
        case .ok, .unsupported: break
        case .pending:
            throw CatalogError(
                .failedPrecondition, "Version \(number) is still being checked; try again when there is a verdict.")
        case .malformed(let reason):
            throw CatalogError(.failedPrecondition, "Version \(number) is malformed and cannot be pinned: \(reason)")
        }
        let wasReleased = EffectiveShare.reachedAll(
            version: number, by: try store.releases(model: model.id), nowMicroseconds: nowMicroseconds)
        if let refusal = CrashRule.refusal(of: known, isAllowed: isAllowed || wasReleased) { throw refusal }
    }
}

/// The devices that a request names.
struct PinnedDevice: Sendable {
    private let installation: String?
    private let tag: String?

    /// - Throws: 400 unless exactly one is given.
    init(installation: String?, tag: String?) throws(APIError) {
        guard (installation == nil) != (tag == nil) else {
            let text = "Give the id of an installation, or a tag."
            throw .invalid("installation", text, message: text)
        }
        if let tag, !WireNames.isDisplayName(tag) {
            let text = "A tag has 1 to 32 letters, digits, hyphens or underscores."
            throw .invalid("tag", text, message: text)
        }
        self.installation = installation
        self.tag = tag
    }

    /// - Throws: 404 if the server does not know the installation: the id is probably mistyped.
    func toPin(in project: Project, _ store: any MetadataReader) throws -> Pin.Device {
        if let tag { return .tag(tag) }
        let id = installation ?? ""
        guard try store.installation(fid: id, project: project.id) != nil else {
            let malformed = InstallationID.refusal(of: id).map { " " + $0 } ?? ""
            throw APIError(
                .notFound,
                "The server knows no installation with this id in the project '\(project.id)'.\(malformed)")
        }
        return .installation(id)
    }

    /// By the id of the installation, or by its name in lists and logs.
    func matches(_ device: Pin.Device) -> Bool {
        switch device {
        case .installation(let id):
            installation == id || installation == InstallationLogName(id: id).description
        case .tag(let known): tag == known
        }
    }
}

extension PinSubject {
    /// Of the actions in the audit log.
    fileprivate var verbPrefix: String {
        switch self {
        case .model: "release"
        case .experiment: "experiment"
        }
    }
}
