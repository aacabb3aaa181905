/// The names that the class had before 2019, for apps that were not touched since.
extension ModelDownloadConditions {
    /// - Parameter idleRequired: Has no effect: what counted as idle was up to the phone.
    @available(*, deprecated, message: "use init(allowsCellularAccess:allowsBackgroundDownloading:)")
    public convenience init(wiFiRequired: Bool, idleRequired: Bool) {
        self.init(allowsCellularAccess: !wiFiRequired, allowsBackgroundDownloading: false)
    }

    @available(*, deprecated, message: "use init(allowsCellularAccess:allowsBackgroundDownloading:)")
    public convenience init(isWiFiRequired: Bool, canDownloadInBackground: Bool) {
        self.init(allowsCellularAccess: !isWiFiRequired, allowsBackgroundDownloading: canDownloadInBackground)
    }

    @available(*, deprecated, message: "use allowsCellularAccess, which means the opposite")
    public var isWiFiRequired: Bool { !allowsCellularAccess }

    /// Always false: see ``init(wiFiRequired:idleRequired:)``.
    @available(*, deprecated, message: "it has no effect")
    public var isIdleRequired: Bool { false }

    @available(*, deprecated, renamed: "allowsBackgroundDownloading")
    public var canDownloadInBackground: Bool { allowsBackgroundDownloading }
}
