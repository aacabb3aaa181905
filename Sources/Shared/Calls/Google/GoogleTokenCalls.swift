package import HearthWire

/// The OAuth 2 token endpoint, which checks its callers itself.
package enum GoogleTokenCalls {
    package static let create = Call<Lane.Now, RawBody, TokenBodies.Response>(
        .post, "token", .anyone, .keys, "An access token of a service account, by a signed assertion or its secret.",
        requestMedia: "application/x-www-form-urlencoded")
}
