public import Foundation

/// What ``ModelManager`` posts at the end of each download, on the app's callback queue and without an object: both the
/// Firebase and the ML Kit notification, so that an app observes whichever it was written for.
///
/// When success is posted, the model is installed. ``ModelDownloadUserInfoKey`` names what `userInfo` holds.
extension NSNotification.Name {
    public static let firebaseMLModelDownloadDidSucceed = NSNotification.Name("FIRModelDownloadDidSucceedNotification")
    public static let firebaseMLModelDownloadDidFail = NSNotification.Name("FIRModelDownloadDidFailNotification")

    public static let mlkitModelDownloadDidSucceed = NSNotification.Name("MLKModelDownloadDidSucceedNotification")
    public static let mlkitModelDownloadDidFail = NSNotification.Name("MLKModelDownloadDidFailNotification")

    /// ``mlkitModelDownloadDidSucceed`` as ML Kit's guides spell it.
    public static var mlkitMLModelDownloadDidSucceed: NSNotification.Name { mlkitModelDownloadDidSucceed }
    /// ``mlkitModelDownloadDidFail`` as ML Kit's guides spell it.
    public static var mlkitMLModelDownloadDidFail: NSNotification.Name { mlkitModelDownloadDidFail }
}
