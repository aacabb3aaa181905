// Who draws on images decodes and encodes them as well.
@_exported public import HearthImaging
