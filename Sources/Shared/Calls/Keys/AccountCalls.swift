package import HearthWire

/// Service accounts.
package enum AccountCalls {
    package static let list = Call<Lane.LookUp, NoBody, KeyBodies.ServiceAccountList>(
        .get, "hearth/v1/projects/{project}/serviceAccounts", .owner, .keys,
        "List the service accounts.")

    package static let create = Call<Lane.Change, KeyBodies.CreateServiceAccountRequest, ServiceAccountKey>(
        .post, "hearth/v1/projects/{project}/serviceAccounts", .owner, .keys,
        "Create a service account with a key, which is shown only here.")

    package static let update = Call<Lane.Change, KeyBodies.UpdateServiceAccountRequest, KeyBodies.ServiceAccount>(
        .patch, "hearth/v1/projects/{project}/serviceAccounts/{email}", .owner, .keys,
        "Change the role of a service account.")

    package static let delete = Call<Lane.Change, NoBody, KeyBodies.ServiceAccount>(
        .delete, "hearth/v1/projects/{project}/serviceAccounts/{email}", .owner, .keys,
        "Revoke a service account.", query: [endTokens])

    package static let addKey = Call<Lane.Change, NoBody, ServiceAccountKey>(
        .post, "hearth/v1/projects/{project}/serviceAccounts/{email}/keys", .owner, .keys,
        "Make a further key, which is shown only here.")

    package static let revokeKey = Call<Lane.Change, NoBody, KeyBodies.AccountKey>(
        .delete, "hearth/v1/projects/{project}/serviceAccounts/{email}/keys/{key}", .owner, .keys,
        "Revoke a key of a service account.", query: [endTokens])

    private static let endTokens = CallQuery(
        "endTokens", "true also ends the admin tokens that the account has made.")
}
