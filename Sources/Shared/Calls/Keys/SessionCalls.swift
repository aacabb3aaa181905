import HearthWire

/// Who calls, and the console sessions of people.
package enum SessionCalls {
    package static let caller = Call<Lane.Now, NoBody, ConsoleBodies.Caller>(
        .get, "hearth/v1/caller", .signedIn, .keys,
        "Show who the caller is.")

    package static let begin = Call<Lane.Change, NoBody, ConsoleBodies.SignInCode>(
        .post, "hearth/v1/signInCodes", .signedIn, .console,
        "Make a code that signs one browser in to the console, once, within a minute.")

    package static let list = Call<Lane.Read, NoBody, ConsoleBodies.SessionList>(
        .get, "hearth/v1/consoleSessions", .signedIn, .console,
        "List the browsers that are signed in.")

    package static let end = Call<Lane.Change, NoBody, NoBody>(
        .delete, "hearth/v1/consoleSessions/{session}", .signedIn, .console,
        "Sign a browser out.")
}
