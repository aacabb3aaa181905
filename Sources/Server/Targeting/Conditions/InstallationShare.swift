/// A share of all installations that chance draws, without a condition.
public enum InstallationShare {
    /// Whether the installation is in that part of all, in the order that the seed draws.
    ///
    /// - Parameter microPercents: from and until, in millionths of a percent.
    public static func contains(_ installationID: String, microPercents: Range<Int64>, seed: String) -> Bool {
        !microPercents.isEmpty && microPercents.contains(PercentRange.bucket(of: installationID, seed: seed))
    }
}
