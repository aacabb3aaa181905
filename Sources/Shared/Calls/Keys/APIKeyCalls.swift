import HearthWire

/// The keys of apps.
package enum APIKeyCalls {
    package static let list = Call<Lane.LookUp, NoBody, KeyBodies.APIKeyList>(
        .get, "hearth/v1/projects/{project}/apiKeys", .owner, .keys,
        "List the API keys of apps.")

    package static let create = Call<Lane.Change, KeyBodies.CreateAPIKeyRequest, KeyBodies.APIKey>(
        .post, "hearth/v1/projects/{project}/apiKeys", .owner, .keys,
        "Create an API key, which is shown only here.")

    package static let lookUp = Call<Lane.Change, KeyBodies.LookUpAPIKeyRequest, KeyBodies.APIKey>(
        .post, "hearth/v1/projects/{project}/apiKeys:lookup", .owner, .keys,
        "Find an API key by the key itself.")

    package static let update = Call<Lane.Change, KeyBodies.UpdateAPIKeyRequest, KeyBodies.APIKey>(
        .patch, "hearth/v1/projects/{project}/apiKeys/{key}", .owner, .keys,
        "Restrict an API key.")

    package static let rotate = Call<Lane.Change, KeyBodies.RotateRequest, KeyBodies.APIKey>(
        .post, "hearth/v1/projects/{project}/apiKeys/{key}:rotate", .owner, .keys,
        "Replace an API key; the old one ends later.")

    package static let revoke = Call<Lane.Change, NoBody, KeyBodies.APIKey>(
        .delete, "hearth/v1/projects/{project}/apiKeys/{key}", .owner, .keys,
        "Revoke an API key.")
}
