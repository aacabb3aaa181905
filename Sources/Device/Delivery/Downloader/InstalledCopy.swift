/// A model that was installed on this device, and whether its file still is what it was then.
package struct InstalledCopy: Sendable, Equatable {
    package let model: CustomModel
    /// The file is gone, changed or not readable. The next one who asks for the model has it fetched again.
    package let isDamaged: Bool
}
