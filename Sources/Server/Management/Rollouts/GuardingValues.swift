import HearthCalls
import HearthCatalog
import HearthDevicePlane
import HearthRollouts
import HearthRouting
import HearthWire

/// Reads how a release is to be watched from a request.
enum GuardingValues {
    /// - Parameter present: what fields that are missing stay as.
    static func guarding(
        _ body: ReleaseBodies.Guarding, changing present: ReleaseGuarding = ReleaseGuarding()
    ) throws(APIError) -> ReleaseGuarding {
        var guarding = ReleaseGuarding(
            plan: present.plan, holdSeconds: present.holdSeconds, response: present.response, off: present.off)
        if let plan = body.plan {
            guarding.plan = []
            for (index, share) in plan.enumerated() {
                guarding.plan.append(try ReleaseValues.share(share, "guarding.plan.\(index)"))
            }
        }
        if let hold = body.holdSeconds { guarding.holdSeconds = Int64(hold) }
        if let text = body.onHarm {
            guard let response = ReleaseGuarding.Response(rawValue: text) else {
                throw refusal("guarding.onHarm", ReleaseGuarding.Response.allCases.map(\.rawValue))
            }
            guarding.response = response
        }
        if let off = body.off {
            guarding.off = []
            for (index, name) in off.enumerated() {
                guard let guarded = Guard(rawValue: name) else {
                    throw refusal("guarding.off.\(index)", Guard.allCases.map(\.rawValue))
                }
                guarding.off.insert(guarded)
            }
        }
        return guarding
    }

    private static func refusal(_ field: String, _ names: [String]) -> APIError {
        let text = "This must be one of: " + names.joined(separator: ", ") + "."
        return .invalid(field, text, message: "\(field): \(text)")
    }
}
