import Firebase

/// The rest of `ModelManager` and `ModelInterpreter`: what apps call besides the guides' steps.
class ModelScreen {
    let remoteModel: CustomRemoteModel
    let observer: DownloadObserver

    init(modelName: String) {
        remoteModel = CustomRemoteModel(name: modelName)
        observer = DownloadObserver(remoteModel: remoteModel)
    }

    private var manager: ModelManager { ModelManager.modelManager(app: FirebaseApp.app()!) }

    func start(then finish: @escaping () -> Void) {
        manager.getLatestModelFilePath(remoteModel) { path, error in
            print("no path yet: \(path == nil && error != nil)")
        }
        setImpossibleFormat()
        observer.onSuccess = {
            self.askForNames { self.deleteModel(then: finish) }
        }
        // The result is not looked at, as in many apps.
        manager.download(remoteModel, conditions: ModelDownloadConditions())
    }

    /// The pattern takes every error for caught: one that is no `NSError` would end the program here.
    private func setImpossibleFormat() {
        do {
            try ModelInputOutputOptions().setInputFormat(index: 0, type: .unknown, dimensions: [])
        } catch let error as NSError {
            print("refused with code \(error.code): \(!error.localizedDescription.isEmpty)")
        }
    }

    private func askForNames(then next: @escaping () -> Void) {
        let interpreter = ModelInterpreter.modelInterpreter(remoteModel: remoteModel)
        interpreter.isStatsCollectionEnabled = false
        interpreter.inputIndex(opName: "image") { index, error in
            print("input \(index?.uintValue ?? 99)")
            interpreter.outputIndex(opName: "scores") { index, error in
                print("output \(index?.uintValue ?? 99)")
                next()
            }
        }
    }

    private func deleteModel(then finish: @escaping () -> Void) {
        manager.deleteDownloadedModel(remoteModel) { error in
            print("deleted: \(error == nil && !self.manager.isModelDownloaded(self.remoteModel))")
            finish()
        }
    }
}
