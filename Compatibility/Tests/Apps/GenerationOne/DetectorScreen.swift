import Firebase
import TensorFlowLite

/// Finds objects with a model that the first generation's API downloads and TensorFlow Lite runs.
class DetectorScreen {
    let remoteModel: CustomRemoteModel
    let imagePath: String
    let observer: DownloadObserver

    init(modelName: String, imagePath: String) {
        remoteModel = CustomRemoteModel(name: modelName)
        self.imagePath = imagePath
        observer = DownloadObserver(remoteModel: remoteModel)
    }

    func start(then finish: @escaping () -> Void) {
        do {
            try detect(with: localInterpreter(), origin: "shipped")
            try detect(with: newestInterpreter(), origin: "local")
        } catch let error {
            print("Failed to create or run the interpreter: \(error)")
        }
        observer.onSuccess = {
            do {
                try self.detect(with: self.newestInterpreter(), origin: "remote")
            } catch let error {
                print("Failed to create or run the interpreter: \(error)")
            }
            finish()
        }
        observer.onFailure = { error in
            print("domain \(error.domain) code \(error.code)")
            finish()
        }
        let progress = ModelManager.modelManager().download(
            remoteModel,
            conditions: ModelDownloadConditions(
                allowsCellularAccess: true,
                allowsBackgroundDownloading: true
            )
        )
        print("units \(progress.totalUnitCount != 0)")
    }

    private func localInterpreter() throws -> Interpreter {
        guard let modelPath = Bundle.main.path(forResource: "model", ofType: "tflite") else {
            fatalError("the app's own model is missing")
        }
        let interpreter = try Interpreter(modelPath: modelPath)
        try interpreter.allocateTensors()
        return interpreter
    }

    /// The newest download, else the model that came with the app. The path is there when the call returns.
    private func newestInterpreter() throws -> Interpreter {
        var modelPath: String?
        if ModelManager.modelManager().isModelDownloaded(remoteModel) {
            ModelManager.modelManager().getLatestModelFilePath(remoteModel) { path, error in
                guard error == nil else { return }
                guard let path = path else { return }
                modelPath = path
            }
        } else {
            modelPath = Bundle.main.path(forResource: "model", ofType: "tflite")
        }
        let interpreter = try Interpreter(modelPath: modelPath)
        try interpreter.allocateTensors()
        return interpreter
    }

    private func detect(with interpreter: Interpreter, origin: String) throws {
        guard let image = readImage(imagePath) else { fatalError("no image") }
        guard let inputData = PixelReader(side: 320).bytes(of: image) else { return }
        try interpreter.copy(inputData, toInputAt: 0)
        try interpreter.invoke()

        var output = try interpreter.output(at: 0)
        let boundingBoxes = UnsafeMutableBufferPointer<Float32>.allocate(capacity: 4 * 40)
        output.data.copyBytes(to: boundingBoxes)
        output = try interpreter.output(at: 1)
        let labels = UnsafeMutableBufferPointer<Float32>.allocate(capacity: 40)
        output.data.copyBytes(to: labels)
        output = try interpreter.output(at: 2)
        let probabilities = UnsafeMutableBufferPointer<Float32>.allocate(capacity: 40)
        output.data.copyBytes(to: probabilities)
        defer {
            boundingBoxes.deallocate()
            labels.deallocate()
            probabilities.deallocate()
        }

        guard let labelPath = Bundle.main.path(forResource: "dict", ofType: "txt") else { return }
        let fileContents = try? String(contentsOfFile: labelPath)
        guard let labelText = fileContents?.components(separatedBy: "\n") else { return }
        var found: [String] = []
        for i in 0..<40 where probabilities[i] > 0.5 {
            let top = boundingBoxes[4 * i]
            let left = boundingBoxes[4 * i + 1]
            let bottom = boundingBoxes[4 * i + 2]
            let right = boundingBoxes[4 * i + 3]
            let labelIndex = Int(labels[i])
            print("\(labelText[labelIndex]) at (\(left), \(top), \(right), \(bottom)): \(probabilities[i])")
            found.append(labelText[labelIndex])
        }
        print("\(origin) \(found.sorted().joined())")
    }
}
