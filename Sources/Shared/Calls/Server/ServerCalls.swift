import HearthWire

/// The server itself.
package enum ServerCalls {
    package static let status = Call<Lane.Read, NoBody, ServerBodies.Status>(
        .get, "hearth/v1/server", .signedIn, .server,
        "Show the state of the server; all of it to operators.")
}
