/// All pages for people who are signed in.
enum ConsolePages {
    static let routes: [ConsoleRoute] = [
        AccountPages.routes, SharedLinkPages.routes, ServerPages.routes, HomePages.routes, SearchPages.routes,
        ModelListPages.routes, UploadPages.routes, ModelPages.routes, VersionPages.routes, ComparePages.routes,
        TryPages.routes, RehearsalPages.routes, ImagePages.routes, DevicePages.routes, ReleaseFormPages.routes,
        ReleasePages.routes,
        ExperimentListPages.routes, ExperimentPages.routes, ExperimentFormPages.routes, KeyPages.routes,
        AuditPages.routes, ConfigPages.routes,
    ].flatMap { $0 }
}
