/// A version of a model, or a variant of an experiment, that chosen devices get before any release or experiment
/// applies.
package struct Pin: Sendable, Hashable {
    /// The devices that have the pin.
    package enum Device: Sendable, Hashable {
        /// The installation with this id.
        case installation(String)
        /// All devices that send this tag.
        case tag(String)
    }

    /// What the devices get.
    package enum Target: Sendable, Hashable {
        /// A version of the model with this id.
        case version(Int, model: Int64)
        /// A variant of the experiment with this name, by the variant's name.
        case variant(String, experiment: String)
    }

    /// The most pins of a project.
    package static let limit = 1000

    package var projectID: String
    package var device: Device
    package var target: Target
    package var createdMicroseconds: Int64
    package var createdBy: String

    package init(projectID: String, device: Device, target: Target, createdMicroseconds: Int64, createdBy: String) {
        self.projectID = projectID
        self.device = device
        self.target = target
        self.createdMicroseconds = createdMicroseconds
        self.createdBy = createdBy
    }

    /// Whether the other one takes the place of this one: a device has one pin for each model and each experiment.
    package func isReplaced(by other: Pin) -> Bool {
        guard projectID == other.projectID, device == other.device else { return false }
        switch (target, other.target) {
        case (.version(_, let model), .version(_, let otherModel)): return model == otherModel
        case (.variant(_, let experiment), .variant(_, let otherExperiment)): return experiment == otherExperiment
        default: return false
        }
    }
}
