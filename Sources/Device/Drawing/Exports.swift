// Who draws on pictures decodes and encodes them as well.
@_exported public import HearthImaging
