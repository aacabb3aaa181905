import HearthWire

/// What one device, or those with a tag, get before any release applies.
package enum PinCalls {
    package static let listOfModel = Call<Lane.Read, NoBody, PinBodies.List>(
        .get, "hearth/v1/projects/{project}/models/{model}/pins", .viewer, .releases,
        "List the pins of a model.")

    package static let pinVersion = Call<Lane.Change, PinBodies.PinVersionRequest, PinBodies.Pin>(
        .post, "hearth/v1/projects/{project}/models/{model}:pin", .publisher, .releases,
        "Give an installation, or the devices with a tag, a version before any release applies.")

    package static let unpinVersion = Call<Lane.Change, PinBodies.UnpinRequest, PinBodies.Pin>(
        .post, "hearth/v1/projects/{project}/models/{model}:unpin", .publisher, .releases,
        "Remove a pin of a model.")

    package static let listOfExperiment = Call<Lane.Read, NoBody, PinBodies.List>(
        .get, "hearth/v1/projects/{project}/experiments/{experiment}/pins", .viewer, .experiments,
        "List the pins of an experiment.")

    package static let pinVariant = Call<Lane.Change, PinBodies.PinVariantRequest, PinBodies.Pin>(
        .post, "hearth/v1/projects/{project}/experiments/{experiment}:pin", .publisher, .experiments,
        "Give an installation, or the devices with a tag, a variant.")

    package static let unpinVariant = Call<Lane.Change, PinBodies.UnpinRequest, PinBodies.Pin>(
        .post, "hearth/v1/projects/{project}/experiments/{experiment}:unpin", .publisher, .experiments,
        "Remove a pin of an experiment.")
}
