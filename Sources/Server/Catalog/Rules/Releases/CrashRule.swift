/// Whether a version may be released that crashed the engine when the server ran it: what ended a process here ends apps on
/// devices.
public enum CrashRule {
    /// - Parameter isAllowed: whether the caller wants it released all the same.
    public static func refusal(of known: ModelLifecycle.KnownVersion, isAllowed: Bool) -> CatalogError? {
        guard known.validation.verdict.isCrash, !isAllowed else { return nil }
        return CatalogError(
            .failedPrecondition,
            "Version \(known.version.number) crashed the engine when the server ran it on zeros, and may do so in apps. It is "
                + "not released. To release it all the same: --allow-crashing ('allowCrashing' in a request to Hearth)."
        )
    }

    /// What the audit says behind a release of such a version.
    static func note(on known: ModelLifecycle.KnownVersion?) -> String {
        known?.validation.verdict.isCrash == true ? ", although it crashed the engine here" : ""
    }
}
