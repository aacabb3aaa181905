import Firebase

/// Says what is in images, with `ModelInterpreter`.
class ClassifierScreen {
    let remoteModel: CustomRemoteModel
    let type: ModelElementType
    let pixels: PixelReader
    let images: [String]
    let observer: DownloadObserver
    var downloadProgress: Progress?

    init(modelName: String, type: ModelElementType, side: Int, images: [String]) {
        remoteModel = CustomRemoteModel(
            name: modelName  // The name that it was published under.
        )
        self.type = type
        self.pixels = PixelReader(side: side)
        self.images = images
        observer = DownloadObserver(remoteModel: remoteModel)
    }

    func start(then finish: @escaping () -> Void) {
        classify(images) {
            self.observer.onSuccess = {
                print("fraction \(self.downloadProgress?.fractionCompleted ?? -1)")
                self.classify(self.images, then: finish)
            }
            self.observer.onFailure = { error in
                print("domain \(error.domain) code \(error.code)")
                finish()
            }
            self.download()
        }
    }

    private func download() {
        let downloadConditions = ModelDownloadConditions(
            allowsCellularAccess: true,
            allowsBackgroundDownloading: true
        )
        let progress = ModelManager.modelManager().download(
            remoteModel,
            conditions: downloadConditions
        )
        downloadProgress = progress
    }

    /// The downloaded model when there is one, else the one that came with the app.
    private func interpreter() -> (ModelInterpreter, String) {
        var interpreter: ModelInterpreter
        if ModelManager.modelManager().isModelDownloaded(remoteModel) {
            interpreter = ModelInterpreter.modelInterpreter(remoteModel: remoteModel)
            return (interpreter, "remote")
        }
        guard
            let modelPath = Bundle.main.path(
                forResource: "model",
                ofType: "tflite",
                inDirectory: "classifier"
            )
        else { fatalError("the app's own model is missing") }
        let localModel = CustomLocalModel(modelPath: modelPath)
        interpreter = ModelInterpreter.modelInterpreter(localModel: localModel)
        return (interpreter, "local")
    }

    private func formats(labelCount: Int) -> ModelInputOutputOptions {
        let side = NSNumber(value: pixels.side)
        let ioOptions = ModelInputOutputOptions()
        do {
            try ioOptions.setInputFormat(index: 0, type: type, dimensions: [1, side, side, 3])
            try ioOptions.setOutputFormat(index: 0, type: type, dimensions: [1, NSNumber(value: labelCount)])
        } catch let error as NSError {
            print("Failed to set the formats: \(error.localizedDescription)")
        }
        return ioOptions
    }

    private func labels() -> [String] {
        guard let labelPath = Bundle.main.path(forResource: "dict", ofType: "txt") else { return [] }
        let fileContents = try? String(contentsOfFile: labelPath)
        guard let labels = fileContents?.components(separatedBy: "\n") else { return [] }
        // A file that ends in a newline has an empty line after it.
        return labels.filter { !$0.isEmpty }
    }

    private func classify(_ images: [String], then next: @escaping () -> Void) {
        guard let imagePath = images.first else { return next() }
        guard let image = readImage(imagePath) else { fatalError("no image") }
        let inputs = ModelInputs()
        do {
            guard let inputData = type == .uInt8 ? pixels.bytes(of: image) : pixels.floats(of: image) else { return }
            try inputs.addInput(inputData)
        } catch let error {
            print("Failed to add input: \(error)")
        }
        let labels = self.labels()
        let (interpreter, origin) = interpreter()
        interpreter.run(inputs: inputs, options: formats(labelCount: labels.count)) { outputs, error in
            guard error == nil, let outputs = outputs else { return print("error \(String(describing: error))") }
            let output = try? outputs.output(index: 0) as? [[NSNumber]]
            guard let probabilities = output?[0] else { return print("no output") }
            var best = 0
            for i in 0..<labels.count {
                if probabilities[i].floatValue > probabilities[best].floatValue { best = i }
            }
            print("\(origin) \(labels[best])")
            print("\(labels[best]): \(probabilities[best])")
            self.classify(Array(images.dropFirst()), then: next)
        }
    }
}
