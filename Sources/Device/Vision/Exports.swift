// A program that only labels imports this module alone: it names its model (LocalModel) and says how images are read
// (ImageDecodeOptions). Where the system lacks them, the image types of phones come along.
@_exported public import HearthImaging
@_exported public import HearthModelSource
@_exported public import HearthPlatform
