import HearthModelSource

/// Whether a download may go on under the conditions that its caller set. Pure.
enum ConditionRules {
    /// - Throws: `conditionsNotMet` on a metered connection that the caller does not allow. What is not known counts as allowed.
    static func check(
        _ conditions: ModelDownloadConditions, on device: any DeviceConditions
    ) throws(DownloadFailure) {
        guard !conditions.allowsCellularAccess, device.isConnectionMetered == true else { return }
        throw DownloadFailure(
            .conditionsNotMet,
            "The connection is a metered one, which the download's conditions do not allow; it can go on over another one.",
            error: .failedPrecondition, isTemporary: true)
    }
}
