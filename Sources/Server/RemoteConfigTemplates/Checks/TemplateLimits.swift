/// The largest template: Firebase's limits, and the larger ones where its documents disagree.
package enum TemplateLimits {
    package static let parameters = 3000
    package static let conditions = 2000
    package static let groups = 1000
    package static let keyLength = 256
    package static let conditionNameLength = 256
    package static let descriptionLength = 256
    package static let versionDescriptionLength = 1024
    /// The characters of all values together.
    package static let valueLength = 1_000_000
    /// The bytes of the expressions of all conditions together.
    package static let expressionBytes = 2_000_000
    /// How many versions of a template are kept, including the active one.
    package static let versions = 300
    package static let versionDays = 90
}
