import Firebase
import TensorFlowLite

/// Gets a model with `ModelDownloader` and runs it with TensorFlow Lite.
class DownloaderScreen {
    let modelName: String
    let imagePath: String

    init(modelName: String, imagePath: String) {
        self.modelName = modelName
        self.imagePath = imagePath
    }

    func start(then finish: @escaping () -> Void) {
        let conditions = ModelDownloadConditions(allowsCellularAccess: false)
        ModelDownloader.modelDownloader()
            .getModel(
                name: modelName,
                downloadType: .localModelUpdateInBackground,
                conditions: conditions
            ) { result in
                switch result {
                case .success(let customModel):
                    do {
                        print("size \(customModel.size) hash \(customModel.hash)")
                        // The path is absolute.
                        let interpreter = try Interpreter(modelPath: customModel.path)
                        try self.run(interpreter)
                    } catch {
                        print("Failed to create or run the interpreter: \(error)")
                    }
                    self.checkAgain(then: finish)
                case .failure(let error):
                    print(error)
                    finish()
                }
            }
    }

    private func run(_ interpreter: Interpreter) throws {
        guard let image = readImage(imagePath) else { fatalError("no image") }
        guard let inputData = PixelReader(side: 32).floats(of: image) else { return }
        try interpreter.allocateTensors()
        try interpreter.copy(inputData, toInputAt: 0)
        try interpreter.invoke()

        let output = try interpreter.output(at: 0)
        let probabilities =
            UnsafeMutableBufferPointer<Float32>.allocate(capacity: 1000)
        defer { probabilities.deallocate() }
        output.data.copyBytes(to: probabilities)

        guard let labelPath = Bundle.main.path(forResource: "dict", ofType: "txt") else { return }
        let fileContents = try? String(contentsOfFile: labelPath)
        guard let labels = fileContents?.components(separatedBy: "\n") else { return }
        // The file ends in a newline, which makes an empty line.
        for i in labels.indices where !labels[i].isEmpty && probabilities[i] > 0.5 {
            print("found \(labels[i])")
            print("\(labels[i]): \(probabilities[i])")
        }
    }

    private func checkAgain(then finish: @escaping () -> Void) {
        let downloader = ModelDownloader.modelDownloader(app: FirebaseApp.app()!)
        var shares: [Float] = []
        downloader.getModel(
            name: modelName, downloadType: .latestModel, conditions: ModelDownloadConditions(),
            progressHandler: { shares.append($0) }
        ) { (result: Result<CustomModel, DownloadError>) in
            if case .success(let model) = result { print("latest \(model.name)") }
            downloader.getModel(
                name: "", downloadType: .localModel, conditions: ModelDownloadConditions()
            ) { result in
                if case .failure(let error) = result { print("refused \(error == .emptyModelName)") }
                self.tidyUp(downloader, then: finish)
            }
        }
    }

    /// In async code too, a call with a completion is that call and needs no `await`.
    func prepareInBackground(_ downloader: ModelDownloader) async {
        let conditions = ModelDownloadConditions()
        downloader.getModel(name: modelName, downloadType: .latestModel, conditions: conditions) { _ in print("ended") }
        downloader.getModel(name: modelName, downloadType: .latestModel, conditions: conditions) { result in
            print(result)
        }
    }

    private func tidyUp(_ downloader: ModelDownloader, then finish: @escaping () -> Void) {
        downloader.listDownloadedModels { result in
            switch result {
            case .success(let models): print("there is \(models.map(\.name).sorted().joined(separator: " "))")
            case .failure(let error): print(error)
            }
            downloader.deleteDownloadedModel(name: self.modelName) { result in
                if case .success = result { print("deleted") }
                downloader.deleteDownloadedModel(name: self.modelName) { result in
                    if case .failure(DownloadedModelError.notFound) = result { print("gone") }
                    finish()
                }
            }
        }
    }
}
