import MLKit

/// Tells of one model's downloads, by the names that the guides use and by those that the library declares.
class DownloadObserver {
    let remoteModel: RemoteModel
    var onSuccess: (() -> Void)?
    var onFailure: ((NSError) -> Void)?

    init(remoteModel: RemoteModel) {
        self.remoteModel = remoteModel
        NotificationCenter.default.addObserver(
            forName: .mlkitModelDownloadDidSucceed, object: nil, queue: nil
        ) { [weak self] notification in
            guard self?.model(in: notification) != nil else { return }
            print("library's name: succeeded")
        }
        NotificationCenter.default.addObserver(
            forName: .mlkitModelDownloadDidFail, object: nil, queue: nil
        ) { [weak self] notification in
            guard self?.model(in: notification) != nil else { return }
            print("library's name: failed")
        }

        NotificationCenter.default.addObserver(
            forName: .mlkitMLModelDownloadDidSucceed,
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
            // After every observer of this event.
            DispatchQueue.main.async { strongSelf.onSuccess?() }
        }

        NotificationCenter.default.addObserver(
            forName: .mlkitMLModelDownloadDidFail,
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
            DispatchQueue.main.async { strongSelf.onFailure?(failure) }
        }
    }

    private func model(in notification: Notification) -> RemoteModel? {
        let model = notification.userInfo?[ModelDownloadUserInfoKey.remoteModel.rawValue] as? RemoteModel
        return model?.name == remoteModel.name ? model : nil
    }
}
