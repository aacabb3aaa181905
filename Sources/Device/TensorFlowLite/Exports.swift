// Apps written for phones turn a CGImage into a model's input with this module alone.
@_exported public import HearthPlatform
