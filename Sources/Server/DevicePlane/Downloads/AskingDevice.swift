package import HearthTargeting

/// What is known about the device that asks. The facts of a call are read from its headers only when a choice needs
/// them.
package enum AskingDevice {
    case call(DeviceHeaders, installationID: String, appID: String)
    case known(DeviceFacts)

    var installationID: String {
        switch self {
        case .call(_, let id, _): id
        case .known(let facts): facts.installationID
        }
    }

    var tags: [String] {
        switch self {
        case .call(let headers, _, _): headers.tags
        case .known(let facts): facts.tags
        }
    }

    /// All facts except the hash of the version that the device has.
    var facts: DeviceFacts {
        switch self {
        case .call(let headers, let id, let appID):
            var facts = DeviceFacts(installationID: id, appID: appID)
            headers.fill(to: &facts)
            return facts
        case .known(let facts): return facts
        }
    }

    /// The hash of the version that the device has.
    var knownHash: String? {
        switch self {
        case .call(let headers, _, _): headers.knownHash
        case .known(let facts): facts.knownHash
        }
    }

    /// The facts that the conditions of these releases need.
    func facts(for releases: [TargetedRelease]) -> DeviceFacts {
        switch self {
        case .call(let headers, let id, let appID):
            headers.facts(installationID: id, appID: appID, for: releases)
        case .known(let facts): facts
        }
    }
}
