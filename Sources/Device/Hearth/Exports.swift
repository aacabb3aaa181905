// One import for apps that fetch models: `import Hearth`. HearthVision and TensorFlowLite are imported by name.
@_exported public import HearthApp
@_exported public import HearthDelivery
@_exported public import HearthModelSource
