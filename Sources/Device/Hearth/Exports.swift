// One import for apps that talk to a server: `import Hearth`. HearthVision and TensorFlowLite are imported by name.
@_exported public import HearthApp
@_exported public import HearthDelivery
@_exported public import HearthEvents
@_exported public import HearthModelSource
@_exported public import HearthRemoteConfig
