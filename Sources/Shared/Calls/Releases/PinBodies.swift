import HearthWire

/// Bodies of the calls about pins: `GET …/models/{numeric id}/pins`, `POST …/models/{numeric id}:pin`, `:unpin`, and the
/// same for `…/experiments/{name}`, below `/hearth/v1/projects/{project}`. Times are RFC 3339.
public enum PinBodies {
    /// What chosen devices get before any release or experiment applies.
    public struct Pin: Codable, Sendable, Hashable {
        /// The name of the installation in logs, `device:` and 12 hexadecimal digits; nil for a tag.
        public var installation: String?
        /// The tag that the devices send; nil for an installation.
        public var tag: String?
        /// The version that they get of the model; nil for a variant.
        public var version: Int?
        /// The variant that they get of the experiment; nil for a version.
        public var variant: String?
        /// When it was made.
        public var createTime: String
        /// Who made it: a service account's email, or `token:{id}`.
        public var createdBy: String

        package init(
            installation: String?, tag: String?, version: Int?, variant: String?, createTime: String, createdBy: String
        ) {
            self.installation = installation
            self.tag = tag
            self.version = version
            self.variant = variant
            self.createTime = createTime
            self.createdBy = createdBy
        }
    }

    /// The list, newest first.
    package struct List: Codable, Sendable {
        package var pins: [Pin]?

        package init(pins: [Pin]?) { self.pins = pins }
    }

    /// The devices of a pin: one installation, or all devices with a tag.
    public enum Device: Sendable, Hashable {
        /// By the installation's id. To remove a pin, its name in logs works too.
        case installation(String)
        /// By a tag that the app sets.
        case tag(String)
    }

    /// Pins a version of a model.
    package struct PinVersionRequest: Codable, Sendable, KeyedBody {
        package var installation: String?
        package var tag: String?
        package var version: Int
        /// Pins a version even if it crashed the engine when the server ran it.
        package var allowCrashing: Bool?

        package enum CodingKeys: String, CodingKey, CaseIterable { case installation, tag, version, allowCrashing }

        package init(_ device: Device, version: Int, allowCrashing: Bool?) {
            (installation, tag) = PinBodies.fields(of: device)
            self.version = version
            self.allowCrashing = allowCrashing
        }
    }

    /// Pins a variant of an experiment.
    package struct PinVariantRequest: Codable, Sendable, KeyedBody {
        package var installation: String?
        package var tag: String?
        package var variant: String

        package enum CodingKeys: String, CodingKey, CaseIterable { case installation, tag, variant }

        package init(_ device: Device, variant: String) {
            (installation, tag) = PinBodies.fields(of: device)
            self.variant = variant
        }
    }

    /// Removes a pin.
    package struct UnpinRequest: Codable, Sendable, KeyedBody {
        /// The installation's id, or its name in logs.
        package var installation: String?
        package var tag: String?

        package enum CodingKeys: String, CodingKey, CaseIterable { case installation, tag }

        package init(_ device: Device) { (installation, tag) = PinBodies.fields(of: device) }
    }

    private static func fields(of device: Device) -> (installation: String?, tag: String?) {
        switch device {
        case .installation(let id): (id, nil)
        case .tag(let tag): (nil, tag)
        }
    }
}
