import MLKit

/// Labels images with a model of the app's own.
class LabelerScreen {
    let remoteModel: CustomRemoteModel
    let imagePaths: [String]
    let observer: DownloadObserver
    var downloadProgress: Progress?
    // Kept while it works.
    var labeler: ImageLabeler?

    init(modelName: String, imagePaths: [String]) {
        let firebaseModelSource =
            FirebaseModelSource(name: modelName)
        remoteModel = CustomRemoteModel(remoteModelSource: firebaseModelSource)
        self.imagePaths = imagePaths
        observer = DownloadObserver(remoteModel: remoteModel)
    }

    func start(then finish: @escaping () -> Void) {
        label(imagePaths, with: shippedLabeler(), origin: "shipped") {
            self.label(self.imagePaths, with: self.newestLabeler(), origin: "local", then: self.download)
        }
        observer.onSuccess = {
            print("there already: \(ModelManager.modelManager().isModelDownloaded(self.remoteModel))")
            print("fraction \(self.downloadProgress?.fractionCompleted ?? -1)")
            self.label(self.imagePaths, with: self.newestLabeler(), origin: "remote") {
                self.useOtherImages(then: finish)
            }
        }
        observer.onFailure = { error in
            print("domain \(error.domain) code \(error.code)")
            finish()
        }
    }

    private func download() {
        let downloadConditions = ModelDownloadConditions(
            allowsCellularAccess: true,
            allowsBackgroundDownloading: true
        )
        downloadProgress = ModelManager.modelManager().download(
            remoteModel,
            conditions: downloadConditions
        )
    }

    /// What the guide's first steps come to: the result of a failable initialiser is passed on as it is.
    private func shippedLabeler() -> ImageLabeler {
        guard
            let manifestPath = Bundle.main.path(
                forResource: "manifest",
                ofType: "json",
                inDirectory: "labeler"
            )
        else { fatalError("the app's own model is missing") }
        let localModel = LocalModel(manifestPath: manifestPath)
        let options = CustomImageLabelerOptions(localModel: localModel)
        options.confidenceThreshold = NSNumber(value: 0.3)
        let imageLabeler = ImageLabeler.imageLabeler(options)
        return imageLabeler
    }

    /// The downloaded model when there is one, else the one that came with the app.
    private func newestLabeler() -> ImageLabeler {
        // As the sample apps hold it.
        // swift-format-ignore: NeverUseImplicitlyUnwrappedOptionals
        var options: CustomImageLabelerOptions!
        if ModelManager.modelManager().isModelDownloaded(remoteModel) {
            options = CustomImageLabelerOptions(remoteModel: remoteModel)
        } else if let path = Bundle.main.path(forResource: "manifest", ofType: "json", inDirectory: "labeler"),
            let localModel = LocalModel(manifestPath: path)
        {
            options = CustomImageLabelerOptions(localModel: localModel)
        }
        options.confidenceThreshold = NSNumber(value: 0.0)
        options.maxResultCount = 3
        return ImageLabeler.imageLabeler(options: options)
    }

    private func label(
        _ paths: [String], with imageLabeler: ImageLabeler, origin: String, then next: @escaping () -> Void
    ) {
        guard let path = paths.first else { return next() }
        guard let image = UIImage(contentsOfFile: path) else { fatalError("no image") }
        let visionImage = VisionImage(image: image)
        visionImage.orientation = image.imageOrientation
        labeler = imageLabeler

        imageLabeler.process(visionImage) { labels, error in
            guard error == nil, let labels = labels, !labels.isEmpty else {
                return print("error \(String(describing: error))")
            }
            for label in labels {
                let labelText = label.text
                let confidence = label.confidence
                let index = label.index
                print("\(index) \(labelText): \(confidence)")
            }
            print("\(origin) \(labels[0].text)")
            self.label(Array(paths.dropFirst()), with: imageLabeler, origin: origin, then: next)
        }
    }

    /// The synchronous calls and the camera, which belong off the main thread.
    private func useOtherImages(then finish: @escaping () -> Void) {
        guard let path = imagePaths.first, let image = UIImage(contentsOfFile: path) else { return finish() }
        let camera = CameraScreen(image: image, remoteModel: remoteModel)
        DispatchQueue.global(qos: .userInitiated).async {
            camera.label(with: self.newestLabeler())
            camera.detect()
            DispatchQueue.main.async(execute: finish)
        }
    }
}
