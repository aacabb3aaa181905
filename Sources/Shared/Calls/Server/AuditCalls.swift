import HearthWire

/// Who changed what.
package enum AuditCalls {
    package static let listOfProject = Call<Lane.Read, NoBody, AuditBodies.List>(
        .get, "hearth/v1/projects/{project}/audit", .owner, .keys,
        "The audit log, newest first.",
        query: filters)

    package static let list = Call<Lane.Read, NoBody, AuditBodies.List>(
        .get, "hearth/v1/audit", .serverOperator, .keys,
        "The audit log of all projects.",
        query: filters)

    private static let filters =
        CallQuery.pages + [
            CallQuery("actor", "An email, the part before its @, or the id or name of a token."),
            CallQuery("action", "Such as model.publish, or model for all of that kind."),
            CallQuery("model", "A display name, an id, or models/ID for that id only."),
            CallQuery("startTime", "Entries from this time on, RFC 3339."),
            CallQuery("endTime", "Entries before this time, RFC 3339."),
        ]
}
