import Dispatch
public import Foundation
import HearthModelSource

/// The notifications that ``ModelManager`` posts at the end of each download, on the app's callback queue and without
/// an object. It posts both the Firebase and the ML Kit notification, so that an app can observe the one it was written
/// for.
///
/// When a success notification is posted, the model is installed. ``ModelDownloadUserInfoKey`` lists the contents of
/// `userInfo`.
extension NSNotification.Name {
    /// A download succeeded. Firebase ML's name.
    public static let firebaseMLModelDownloadDidSucceed = NSNotification.Name("FIRModelDownloadDidSucceedNotification")
    /// A download failed. Firebase ML's name.
    public static let firebaseMLModelDownloadDidFail = NSNotification.Name("FIRModelDownloadDidFailNotification")

    /// A download succeeded. ML Kit's name.
    public static let mlkitModelDownloadDidSucceed = NSNotification.Name("MLKModelDownloadDidSucceedNotification")
    /// A download failed. ML Kit's name.
    public static let mlkitModelDownloadDidFail = NSNotification.Name("MLKModelDownloadDidFailNotification")

    /// ``mlkitModelDownloadDidSucceed`` as ML Kit's guides spell it.
    public static var mlkitMLModelDownloadDidSucceed: NSNotification.Name { mlkitModelDownloadDidSucceed }
    /// ``mlkitModelDownloadDidFail`` as ML Kit's guides spell it.
    public static var mlkitMLModelDownloadDidFail: NSNotification.Name { mlkitModelDownloadDidFail }
}

/// The keys of a download notification's `userInfo`, which contains their `rawValue`s.
public struct ModelDownloadUserInfoKey: RawRepresentable, Hashable, Sendable {
    /// The key in `userInfo`.
    public let rawValue: String

    /// Makes a key from its raw value.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The `RemoteModel` object that the app passed to `download`.
    public static let remoteModel = Self(rawValue: "MLKModelDownloadUserInfoKeyRemoteModel")
    /// The `NSError` that says why the download failed. Only in failure notifications.
    public static let error = Self(rawValue: "MLKModelDownloadUserInfoKeyError")
}

/// The end of one download, which observers learn from notifications.
///
/// `@unchecked Sendable`: the model is the app's own object, which this type does not read: it only carries it from the
/// call of `download` to the callback queue.
struct ModelDownloadNotification: @unchecked Sendable {
    private let model: RemoteModel

    init(_ model: RemoteModel) { self.model = model }

    /// Posts the notifications. Call it on the callback queue.
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
