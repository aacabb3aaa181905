// An app that only labels images imports this module alone. It needs the model types (`LocalModel`), what it can state
// about a model (`ImageProcessing`) and the options for
// reading images (`ImageDecodeOptions`), and on systems without Apple's frameworks the image types of phones.
@_exported public import HearthImaging
@_exported public import HearthModelSource
@_exported public import HearthPlatform

@_exported public import enum HearthModelFile.BoxLayout
@_exported public import struct HearthModelFile.ImageProcessing
