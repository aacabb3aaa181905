import HearthImaging
import HearthModelFile

/// How images go into models of a known family, where the file itself says nothing about it.
struct UsualInput: Sendable {
    var normalization: ImageProcessing.Normalization?
    var channels: ImageProcessing.Channels?
    var placement: ImagePlacement?
    var evidence = Evidence.usual
}
