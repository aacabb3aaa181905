// An app that only labels images imports this module alone. It needs the model types (`LocalModel`) and the options for
// reading images (`ImageDecodeOptions`), and on systems without Apple's frameworks the image types of phones.
@_exported public import HearthImaging
@_exported public import HearthModelSource
@_exported public import HearthPlatform
