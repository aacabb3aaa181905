import Firebase

/// Tells of one model's downloads.
class DownloadObserver {
    let remoteModel: CustomRemoteModel
    var onSuccess: (() -> Void)?
    var onFailure: ((NSError) -> Void)?

    init(remoteModel: CustomRemoteModel) {
        self.remoteModel = remoteModel
        NotificationCenter.default.addObserver(
            forName: .firebaseMLModelDownloadDidSucceed,
            object: nil,
            queue: nil
        ) { [weak self] notification in
            guard let strongSelf = self,
                let userInfo = notification.userInfo,
                let model = userInfo[ModelDownloadUserInfoKey.remoteModel.rawValue]
                    as? RemoteModel,
                model.name == strongSelf.remoteModel.name
            else { return }
            print("succeeded \(model.name)")
            strongSelf.onSuccess?()
        }

        NotificationCenter.default.addObserver(
            forName: .firebaseMLModelDownloadDidFail,
            object: nil,
            queue: nil
        ) { [weak self] notification in
            guard let strongSelf = self,
                let userInfo = notification.userInfo,
                let model = userInfo[ModelDownloadUserInfoKey.remoteModel.rawValue]
                    as? RemoteModel,
                model.name == strongSelf.remoteModel.name
            else { return }
            let error = userInfo[ModelDownloadUserInfoKey.error.rawValue]
            guard let failure = error as? NSError else { return print("failed without an NSError") }
            print("failed \(model.name) with an NSError")
            strongSelf.onFailure?(failure)
        }
    }
}
