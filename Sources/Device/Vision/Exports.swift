// A program that only labels imports this module alone: it names its model (LocalModel) and says how pictures are read
// (ImageDecodeOptions).
@_exported public import HearthImaging
@_exported public import HearthModelSource
