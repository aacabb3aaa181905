import Dispatch
public import Foundation
import HearthModelSource

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

/// What the `userInfo` of a download notification holds, under the keys' `rawValue`.
public struct ModelDownloadUserInfoKey: RawRepresentable, Hashable, Sendable {
    public let rawValue: String

    public init(rawValue: String) { self.rawValue = rawValue }

    /// The `RemoteModel` that the download was asked for with: the same object.
    public static let remoteModel = Self(rawValue: "MLKModelDownloadUserInfoKeyRemoteModel")
    /// The `NSError` that says why there is no new model. Only in notifications of failure.
    public static let error = Self(rawValue: "MLKModelDownloadUserInfoKeyError")
}

/// The end of one download, as it is told to observers.
///
/// `@unchecked Sendable`: the model is the app's own object, which is not looked into here but carried from the call of
/// `download` to the callback queue.
struct ModelDownloadNotification: @unchecked Sendable {
    private let model: RemoteModel

    init(_ model: RemoteModel) { self.model = model }

    /// To be called on the callback queue.
    func post(_ result: Result<CustomModel, DownloadFailure>) {
        var info: [AnyHashable: Any] = [ModelDownloadUserInfoKey.remoteModel.rawValue: model]
        let names: [NSNotification.Name]
        switch result {
        case .success:
            names = [.firebaseMLModelDownloadDidSucceed, .mlkitModelDownloadDidSucceed]
        case .failure(let failure):
            names = [.firebaseMLModelDownloadDidFail, .mlkitModelDownloadDidFail]
            info[ModelDownloadUserInfoKey.error.rawValue] = ModelManagerError.download(failure)
        }
        for name in names { NotificationCenter.default.post(name: name, object: nil, userInfo: info) }
    }
}
