import HearthConcurrency

/// What there is of a model on this device, for an app that switches features on with it. Hearth's addition.
public enum ModelState: Sendable, Equatable {
    /// Not on this device, and nobody is fetching it.
    case absent
    /// Not on this device yet. `fraction` of its bytes, 0...1, have arrived.
    case downloading(fraction: Float)
    case ready(CustomModel)
    /// On this device, while a newer version is being fetched.
    case updating(CustomModel, fraction: Float)
    /// The last download failed, or the newest version does not work here. `installed`, if there is one, still works.
    case failed(DownloadFailure, installed: CustomModel?)

    /// The copy on this device, whatever else goes on.
    public var model: CustomModel? {
        switch self {
        case .absent, .downloading: nil
        case .ready(let model), .updating(let model, _): model
        case .failed(_, let installed): installed
        }
    }
}

/// An app's observation of a model's state. Ends when it is cancelled or released: keep it as long as you want to be told.
public final class ModelStateObservation: Sendable {
    private let ticket: Cancellation

    init(_ ticket: Cancellation) { self.ticket = ticket }

    deinit { ticket.cancel() }

    /// No call comes after this one, if it is made on the app's callback queue; from elsewhere, one may be under way.
    public func cancel() { ticket.cancel() }
}

/// What is known about one model, and what it means for the app. Pure: events in, a state out.
struct ModelRecord: Sendable {
    private struct Transfer {
        let id: Int
        /// nil until bytes of a new file arrive: the server may say that there is nothing new.
        var fraction: Float?
    }

    private var installed: CustomModel? {
        didSet { lastSeen = installed }
    }
    /// What was installed when the store could last be read.
    private var lastSeen: CustomModel?
    private var transfer: Transfer?
    /// What is wrong with the copy on this device.
    private var storeFailure: DownloadFailure?
    /// Why the last transfer brought nothing, or what it brought is of no use.
    private var downloadFailure: DownloadFailure?

    var state: ModelState {
        if let transfer {
            guard let installed else { return .downloading(fraction: transfer.fraction ?? 0) }
            if let fraction = transfer.fraction { return .updating(installed, fraction: fraction) }
        }
        if let failure = storeFailure ?? downloadFailure { return .failed(failure, installed: installed) }
        return installed.map { .ready($0) } ?? .absent
    }

    /// Somebody looked at the store.
    mutating func recordLookup(_ finding: Result<DeviceStore.LookupResult, DownloadFailure>, of name: String) {
        let before = lastSeen
        installed = nil
        storeFailure = nil
        switch finding {
        case .success(.installed(let model)):
            installed = model
            // Another process has fetched it.
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

    mutating func started(_ id: Int) { transfer = Transfer(id: id, fraction: nil) }

    mutating func received(_ fraction: Float, by id: Int) {
        if transfer?.id == id { transfer?.fraction = fraction }
    }

    mutating func abandoned(_ id: Int) {
        if transfer?.id == id { transfer = nil }
    }

    /// A transfer that was abandoned, or whose place another one has taken, may have installed its model all the same.
    mutating func ended(_ id: Int, _ result: Result<CustomModel, DownloadFailure>) {
        let isCurrent = transfer?.id == id
        if isCurrent { transfer = nil }
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

    /// The newest copy does not load; `previous` is installed now.
    mutating func reject(_ failure: DownloadFailure, previous: CustomModel?) {
        installed = previous
        storeFailure = nil
        downloadFailure = failure
    }

    /// A cancelled download is no failure, nor is an update that waits for a better connection.
    private func isReportable(_ failure: DownloadFailure) -> Bool {
        failure.code != .cancelled && !(failure.code == .conditionsNotMet && installed != nil)
    }
}
