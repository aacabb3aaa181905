/// Whether a version may be released that crashed the engine when the server ran it. What ended a process on the server
/// can end apps on devices.
package enum CrashRule {
    /// - Parameter isAllowed: whether the caller wants the release in spite of the crash.
    package static func refusal(of known: ModelLifecycle.KnownVersion, isAllowed: Bool) -> CatalogError? {
        guard known.validation.verdict.isCrash, !isAllowed else { return nil }
        return CatalogError(
            .failedPrecondition,
            "Version \(known.version.number) crashed the engine when the server ran it on zeros, and may do so in apps. It is "
                + "not released. To release it anyway: --allow-crashing ('allowCrashing' in a request to Hearth)."
        )
    }

    /// The note in the audit log on the release of such a version.
    static func note(on known: ModelLifecycle.KnownVersion?) -> String {
        known?.validation.verdict.isCrash == true ? ", although it crashed the engine here" : ""
    }
}
