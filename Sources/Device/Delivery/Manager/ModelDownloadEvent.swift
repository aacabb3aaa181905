import Dispatch
import Foundation
import HearthModelSource

/// The end of one download, as it is told to observers.
///
/// `@unchecked Sendable`: the model is the app's own object, which is not looked into here but carried from the call of
/// `download` to the callback queue.
struct ModelDownloadEvent: @unchecked Sendable {
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
