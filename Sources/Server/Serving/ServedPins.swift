package import HearthCatalog
import HearthExperiments
import HearthStorage

/// A pin in the form that answers devices.
package final class ServedPin: Sendable {
    /// What the devices get.
    enum Content: Sendable {
        /// Nil for a version that a later validation found malformed, as after a restore: the pin then changes nothing.
        case version(ServedRelease?)
        case variant(ServedExperiment, Int)
        /// A variant of an experiment that does not run.
        case nothing
    }

    package let pin: Pin
    let content: Content
    /// 0 is the newest of the project.
    fileprivate let age: Int

    fileprivate init(_ pin: Pin, _ content: Content, age: Int) {
        self.pin = pin
        self.content = content
        self.age = age
    }
}

/// A project's pins.
package final class ServedPins: Sendable {
    /// By the installation's id, and by tag; each newest first.
    private let byInstallation: [String: [ServedPin]]
    private let byTag: [String: [ServedPin]]

    /// - Parameter pins: newest first.
    init(_ pins: [Pin], _ experiments: ServedExperiments, _ reader: any MetadataReader) throws {
        var (byInstallation, byTag) = ([String: [ServedPin]](), [String: [ServedPin]]())
        for (age, pin) in pins.enumerated() {
            let served = ServedPin(pin, try Self.content(of: pin, experiments, reader), age: age)
            switch pin.device {
            case .installation(let id): byInstallation[id, default: []].append(served)
            case .tag(let tag): byTag[tag, default: []].append(served)
            }
        }
        self.byInstallation = byInstallation
        self.byTag = byTag
    }

    private static func content(
        of pin: Pin, _ experiments: ServedExperiments, _ reader: any MetadataReader
    ) throws -> ServedPin.Content {
        switch pin.target {
        case .version(let number, let id):
            guard let model = try reader.model(id: id, project: pin.projectID) else { return .nothing }
            return .version(try ServedRelease.alone(number, of: model, reader))
        case .variant(let name, let experiment):
            guard let running = experiments.all.first(where: { $0.experiment.name == experiment }),
                let variant = running.experiment.variants.firstIndex(where: { $0.name == name })
            else { return .nothing }
            return .variant(running, variant)
        }
    }

    /// Whether the installation itself has a pin. Events do not say which tags their device has.
    package func hasInstallation(_ id: String) -> Bool { byInstallation[id] != nil }

    /// The pins of a device; nil if it has none.
    ///
    /// - Parameter tags: those that the device sends. Read only if the project has pins for tags.
    package func pins(of installation: String, tags: () -> [String]) -> DevicePins? {
        let own = byInstallation[installation] ?? []
        let tagged = byTag.isEmpty ? [] : Set(tags()).flatMap { byTag[$0] ?? [] }.sorted { $0.age < $1.age }
        return own.isEmpty && tagged.isEmpty ? nil : DevicePins(all: own + tagged)
    }
}

/// The pins of one device: those of its installation first, then those of its tags, newest first. Where two pins say
/// different things, the first one holds.
package struct DevicePins {
    let all: [ServedPin]

    /// The pin that decides about the model, and the version that the device gets.
    package func version(of model: String) -> (pin: ServedPin, version: ServedRelease)? {
        for pin in all {
            if case .version(let version?) = pin.content, version.displayName == model { return (pin, version) }
        }
        for pin in all {
            if case .variant(let experiment, let variant) = pin.content,
                let version = experiment.version(of: model, inVariant: variant)
            {
                return (pin, version)
            }
        }
        return nil
    }

    func variant(of experiment: ServedExperiment) -> Int? {
        for pin in all {
            if case .variant(let pinned, let variant) = pin.content,
                pinned.experiment.name == experiment.experiment.name
            {
                return variant
            }
        }
        return nil
    }

    /// The experiment of which the device has a pinned variant, and which may share no devices with this one.
    func excluding(_ experiment: ServedExperiment) -> ServedExperiment? {
        for pin in all {
            if case .variant(let pinned, _) = pin.content, pinned.experiment.overlaps(experiment.experiment) {
                return pinned
            }
        }
        return nil
    }
}

extension ServedRelease {
    /// A version that devices get without a release: by a pin, or as the variant of an experiment.
    ///
    /// Nil if the version no longer exists, or if a later validation found it malformed, as after a restore. Devices
    /// then get what they would get otherwise.
    static func alone(_ number: Int, of model: Model, _ reader: any MetadataReader) throws -> ServedRelease? {
        guard let version = try reader.version(number, model: model.id) else { return nil }
        if case .malformed? = try reader.validation(sha256: version.sha256)?.verdict { return nil }
        return ServedRelease(
            projectID: model.projectID, displayName: model.displayName,
            release: Release(
                modelID: model.id, number: 0, version: number, kind: .rollout, createdMicroseconds: 0, createdBy: ""),
            sha256: version.sha256, sizeBytes: version.sizeBytes)
    }
}
