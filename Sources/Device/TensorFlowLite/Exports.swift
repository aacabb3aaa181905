// Apps written for phones turn a `CGImage` into a model's input and import only this module.
@_exported public import HearthPlatform
