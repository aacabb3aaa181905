/// When something that was signed expires.
enum SignedTime {
    /// A time further ahead than anything lasts was signed while the clock was wrong.
    private static let leewaySeconds: Int64 = 300

    /// Whether `expires` lies ahead, and no further than what lasts for `lifetimeSeconds` could.
    static func isAhead(_ expires: Int64, lifetimeSeconds: Int64, nowSeconds: Int64) -> Bool {
        let (latest, isBeyond) = nowSeconds.addingReportingOverflow(lifetimeSeconds + leewaySeconds)
        return expires > nowSeconds && (isBeyond || expires <= latest)
    }
}
