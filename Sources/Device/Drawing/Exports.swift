// Apps that draw on images also decode and encode them.
@_exported public import HearthImaging
