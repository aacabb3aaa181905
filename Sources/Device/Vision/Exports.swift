// A program that only labels imports this module alone: it names its model (LocalModel) and says how pictures are read
// (ImageDecodeOptions). Where the system lacks them, the picture types of phones come along.
@_exported public import HearthImaging
@_exported public import HearthModelSource
@_exported public import HearthPlatform
