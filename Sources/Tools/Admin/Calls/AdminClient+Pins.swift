public import HearthCalls

/// Pins: what chosen devices get before any release or experiment applies.
extension AdminClient {
    /// The pins of a model, newest first.
    ///
    /// - Parameter model: its resource name `projects/{project}/models/{id}`.
    /// - Throws: ``AdminError``.
    public func pins(of model: String) throws(AdminError) -> [PinBodies.Pin] {
        try call(PinCalls.listOfModel, of: model).pins ?? []
    }

    /// Gives devices a version of the model, in place of a pin that they had for it.
    ///
    /// - Parameter allowCrashing: whether the version may have crashed the engine when the server ran it.
    /// - Throws: ``AdminError``.
    public func pin(
        _ device: PinBodies.Device, to version: Int, of model: String, allowCrashing: Bool = false
    ) throws(AdminError) -> PinBodies.Pin {
        let body = PinBodies.PinVersionRequest(device, version: version, allowCrashing: allowCrashing ? true : nil)
        return try call(PinCalls.pinVersion, of: model, body: body)
    }

    /// Removes the devices' pin of the model. The answer is that pin.
    ///
    /// - Throws: ``AdminError``.
    public func unpin(_ device: PinBodies.Device, from model: String) throws(AdminError) -> PinBodies.Pin {
        try call(PinCalls.unpinVersion, of: model, body: PinBodies.UnpinRequest(device))
    }

    /// The pins of an experiment, newest first.
    ///
    /// - Throws: ``AdminError``.
    public func pins(ofExperiment name: String) throws(AdminError) -> [PinBodies.Pin] {
        try call(PinCalls.listOfExperiment, project(), name).pins ?? []
    }

    /// Gives devices a variant of the experiment while it runs, in place of a pin that they had for it.
    ///
    /// - Throws: ``AdminError``.
    public func pin(
        _ device: PinBodies.Device, toVariant variant: String, ofExperiment name: String
    ) throws(AdminError) -> PinBodies.Pin {
        let body = PinBodies.PinVariantRequest(device, variant: variant)
        return try call(PinCalls.pinVariant, project(), name, body: body)
    }

    /// Removes the devices' pin of the experiment. The answer is that pin.
    ///
    /// - Throws: ``AdminError``.
    public func unpin(
        _ device: PinBodies.Device, fromExperiment name: String
    ) throws(AdminError) -> PinBodies.Pin {
        try call(PinCalls.unpinVariant, project(), name, body: PinBodies.UnpinRequest(device))
    }
}
