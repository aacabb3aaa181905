/// A share of all installations that chance draws, without a condition.
public enum InstallationShare {
    /// Whether the installation is among the first `percent` of 100, in the order that the seed draws.
    public static func contains(_ installationID: String, percent: Double, seed: String) -> Bool {
        Double(PercentRange.bucket(of: installationID, seed: seed)) < percent * 1_000_000
    }
}
