import HearthVision

/// On a phone this is UIKit's; on Linux the class comes with Firebase, and the decoder from the main package.
func readImage(_ path: String) -> CGImage? { UIImage(contentsOfFile: path)?.cgImage }
