/// What is known about one model, and its state for the app. Pure: takes events, returns a state.
struct ModelRecord: Sendable {
    private struct Download {
        let id: Int
        /// nil until bytes of a new file arrive: the server may answer that the installed version is the newest.
        var fraction: Float?
    }

    private var installed: CustomModel? {
        didSet { lastSeen = installed }
    }
    /// The installed version when the store could last be read.
    private var lastSeen: CustomModel?
    private var download: Download?
    /// What is wrong with the copy on this device.
    private var storeFailure: DownloadFailure?
    /// Why the last download failed, or why its version does not work here.
    private var downloadFailure: DownloadFailure?

    var state: ModelState {
        if let download {
            guard let installed else { return .downloading(fraction: download.fraction ?? 0) }
            if let fraction = download.fraction { return .updating(installed, fraction: fraction) }
        }
        if let failure = storeFailure ?? downloadFailure { return .failed(failure, installed: installed) }
        return installed.map { .ready($0) } ?? .absent
    }

    /// Records the result of a lookup in the store.
    mutating func recordLookup(_ finding: Result<DeviceStore.LookupResult, DownloadFailure>, of name: String) {
        let before = lastSeen
        installed = nil
        storeFailure = nil
        switch finding {
        case .success(.installed(let model)):
            installed = model
            // Another process has downloaded it.
            if model != before { downloadFailure = nil }
        case .success(.missing): break
        case .success(.damaged(let previous)):
            installed = previous
            storeFailure = .damaged(name)
        case .failure(let failure):
            storeFailure = failure
            lastSeen = before
        }
    }

    mutating func started(_ id: Int) { download = Download(id: id, fraction: nil) }

    mutating func received(_ fraction: Float, by id: Int) {
        if download?.id == id { download?.fraction = fraction }
    }

    mutating func abandoned(_ id: Int) {
        if download?.id == id { download = nil }
    }

    /// Records the end of a download. Even a download that was abandoned, or replaced by another one, may have
    /// installed its model.
    mutating func ended(_ id: Int, _ result: Result<CustomModel, DownloadFailure>) {
        let isCurrent = download?.id == id
        if isCurrent { download = nil }
        switch result {
        case .success(let model):
            installed = model
            storeFailure = nil
            downloadFailure = nil
        case .failure(let failure):
            guard isCurrent, isReportable(failure) else { return }
            downloadFailure = failure
        }
    }

    mutating func deleted() {
        installed = nil
        storeFailure = nil
        downloadFailure = nil
    }

    /// Records that the newest copy does not load; `previous` is installed now.
    mutating func reject(_ failure: DownloadFailure, previous: CustomModel?) {
        installed = previous
        storeFailure = nil
        downloadFailure = failure
    }

    /// Whether the state shows the failure. It does not show a cancelled download, nor an update that waits for a
    /// better connection.
    private func isReportable(_ failure: DownloadFailure) -> Bool {
        failure.code != .cancelled && !(failure.code == .conditionsNotMet && installed != nil)
    }
}
