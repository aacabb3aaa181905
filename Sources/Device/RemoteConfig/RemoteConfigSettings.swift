public import Foundation

/// How a configuration is fetched. Not for several threads at once.
public final class RemoteConfigSettings: NSObject {
    private var values = FetchSettings()

    public override init() {}

    init(_ values: FetchSettings) { self.values = values }

    /// In seconds, half a day by default: what was fetched less long ago is not fetched again. Never below 0.
    public var minimumFetchInterval: TimeInterval {
        get { values.youngSeconds }
        set { values.youngSeconds = newValue > 0 ? newValue : 0 }
    }

    /// In seconds, a minute by default: how long a fetch may take. 0 and less stand for the default.
    public var fetchTimeout: TimeInterval {
        get { values.timeoutSeconds }
        set { values.timeoutSeconds = newValue > 0 ? newValue : FetchSettings().timeoutSeconds }
    }

    var fetchSettings: FetchSettings { values }
}

struct FetchSettings: Sendable, Equatable {
    var youngSeconds = 43_200.0
    var timeoutSeconds = 60.0
}
