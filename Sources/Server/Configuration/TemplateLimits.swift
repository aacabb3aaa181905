/// How large a template may be: Firebase's limits, the larger ones where its documents disagree.
public enum TemplateLimits {
    public static let parameters = 3000
    public static let conditions = 2000
    public static let groups = 1000
    public static let keyLength = 256
    public static let conditionNameLength = 256
    public static let descriptionLength = 256
    public static let versionDescriptionLength = 1024
    /// Of all values together.
    public static let valueLength = 1_000_000
    /// Of the expressions of all conditions together, in bytes.
    public static let expressionBytes = 2_000_000
    /// How many versions of a template are kept, the active one among them.
    public static let versions = 300
    public static let versionDays = 90
}
